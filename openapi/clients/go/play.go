// Plays a match of every game with the generated client: play <address of a service>
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	tafelrunde "tafelrunde"
)

// told returns an answer; a problem ends the program.
func told[Answer any](answer *Answer, response *http.Response, err error) *Answer {
	if err != nil {
		log.Fatal(reason(err))
	}
	return answer
}

// reason returns what a problem says.
func reason(err error) string {
	if problem, ok := err.(*tafelrunde.GenericOpenAPIError); ok {
		return fmt.Sprintf("%s: %s", err, problem.Body())
	}
	return err.Error()
}

// key returns a fresh key for a request.
func key() string {
	drawn := make([]byte, 16)
	if _, err := rand.Read(drawn); err != nil {
		log.Fatal(err)
	}
	return hex.EncodeToString(drawn)
}

// one returns one of the legal commands.
func one(legal []tafelrunde.GameCommand) tafelrunde.GameCommand {
	index, err := rand.Int(rand.Reader, big.NewInt(int64(len(legal))))
	if err != nil {
		log.Fatal(err)
	}
	return legal[index.Int64()]
}

// Chained is the chain over the first items of a feed, and whose feed that is.
type Chained struct {
	Seat  int    `json:"seat"`
	N     int    `json:"n"`
	Chain string `json:"chain"`
}

// Sent is a page of a feed with its events as they were sent.
type Sent struct {
	Items []struct {
		N     int             `json:"n"`
		AtMs  int64           `json:"at_ms"`
		Event json.RawMessage `json:"event"`
	} `json:"items"`
}

// Kept is what proves how a match is dealt: tafelrunde verify ADDRESS --kept FILE compares the match with it.
type Kept struct {
	Format      string   `json:"format"`
	Service     string   `json:"service"`
	Origin      string   `json:"origin"`
	Keys        []string `json:"keys"`
	Match       string   `json:"match"`
	Commitment  string   `json:"commitment"`
	Seat        int      `json:"seat"`
	Nonce       string   `json:"nonce"`
	Feed        Chained  `json:"feed"`
	Marks       []string `json:"marks"`
	Checkpoints []string `json:"checkpoints"`
}

// write writes the file.
func (kept *Kept) write() {
	text, err := json.Marshal(kept)
	if err == nil {
		err = os.MkdirAll("kept", 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join("kept", kept.Match+".kept.json"), text, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// sit opens a match against bots and begins it; it returns what proves how it is dealt, with the commitment to its secret.
func sit(ctx context.Context, client *tafelrunde.APIClient, game string, seats int32) *Kept {
	request := tafelrunde.NewMatchRequest(game, seats)
	for seat := int32(1); seat < seats; seat++ {
		request.Bots = append(request.Bots, *tafelrunde.NewBotSeat(seat, "random"))
	}
	request.SetSeatNil()
	match := told(client.MatchesAPI.OpenMatch(ctx).IdempotencyKey(key()).MatchRequest(*request).Execute()).Match
	commitment := told(client.MatchesAPI.GetMatch(ctx, match).Execute()).Commitment
	keys := told(client.LogAPI.GetSigningKeys(ctx).Execute())
	checkpoints := []string{told(client.LogAPI.GetCheckpoint(ctx).Execute()).Signed}
	// The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
	seat := tafelrunde.NewSeatRequest()
	seat.SetSeat(0)
	seat.SetNonce(key())
	marks := []string{told(client.MatchesAPI.TakeSeat(ctx, match).SeatRequest(*seat).Execute()).GetSigned()}
	told(client.MatchesAPI.StartMatch(ctx, match).Execute())
	feed := Chained{0, 0, strings.Repeat("00", 32)}
	kept := &Kept{"tafelrunde.kept.1", os.Args[1], keys.Origin, keys.Keys, match, commitment, 0, seat.GetNonce(), feed, marks, checkpoints}
	kept.write()
	return kept
}

// hear reads what is new in the feed, and keeps the chain over all that was sent, and the newest signature; it returns the new cursor.
func hear(ctx context.Context, client *tafelrunde.APIClient, kept *Kept, cursor string, wait int32) string {
	request := client.PlayAPI.GetFeed(ctx, kept.Match).Wait(wait)
	if cursor != "" {
		request = request.After(cursor)
	}
	page, response, err := request.Execute()
	told(page, response, err)
	var sent Sent
	if err := json.NewDecoder(response.Body).Decode(&sent); err != nil {
		log.Fatal(err)
	}
	for _, item := range sent.Items {
		if item.N != kept.Feed.N+1 {
			continue
		}
		chain, _ := hex.DecodeString(kept.Feed.Chain)
		said := bytes.NewBuffer(append(chain, fmt.Sprintf("[%d,%d,", item.N, item.AtMs)...))
		if err := json.Compact(said, item.Event); err != nil {
			log.Fatal(err)
		}
		said.WriteByte(']')
		kept.Feed = Chained{0, item.N, fmt.Sprintf("%x", sha256.Sum256(said.Bytes()))}
	}
	kept.Marks = append(kept.Marks[:1], page.Signed)
	if page.More {
		return hear(ctx, client, kept, page.Cursor, 0)
	}
	return page.Cursor
}

// check writes what was kept up to the end, and ends the program if a match was not dealt from the secret that it began with.
func check(ctx context.Context, client *tafelrunde.APIClient, kept *Kept) {
	kept.write()
	proofs := told(client.PlayAPI.ListProofs(ctx, kept.Match).Execute())
	text := fmt.Sprintf("tafelrunde/commitment/1|%s|%s", kept.Match, proofs.GetSecret())
	if fmt.Sprintf("%x", sha256.Sum256([]byte(text))) != kept.Commitment {
		log.Fatal(kept.Match + ": another secret")
	}
}

// play plays a match against bots to its end, and returns the last view.
func play(ctx context.Context, client *tafelrunde.APIClient, game string, seats int32) *tafelrunde.View {
	kept := sit(ctx, client, game, seats)
	match := kept.Match
	cursor := ""
	for {
		view := told(client.PlayAPI.GetView(ctx, match).Execute())
		if view.Status == tafelrunde.STATUS_OVER {
			hear(ctx, client, kept, cursor, 0)
			check(ctx, client, kept)
			return view
		}
		question := view.Question.Get()
		if question == nil || question.Answered.Get() != nil {
			cursor = hear(ctx, client, kept, cursor, 10)
			continue
		}
		answer := *tafelrunde.NewCommandRequest(question.Decision, one(question.Legal))
		receipt, _, err := client.PlayAPI.GiveCommand(ctx, match).IdempotencyKey(key()).CommandRequest(answer).Execute()
		if err != nil && strings.Contains(reason(err), "urn:tafelrunde:problem:decision-closed") {
			continue // somebody else has closed the decision meanwhile
		}
		told(receipt, nil, err)
	}
}

// read reads the whole feed, and returns how many events it has, and how many are of a kind that this client does not know.
func read(ctx context.Context, client *tafelrunde.APIClient, match string) string {
	events, unknown := 0, 0
	page := told(client.PlayAPI.GetFeed(ctx, match).Execute())
	for {
		events += len(page.Items)
		for _, item := range page.Items {
			if item.Event.GetActualInstance() == nil {
				unknown++
			}
		}
		if !page.More {
			return fmt.Sprintf("%d events, %d unknown", events, unknown)
		}
		page = told(client.PlayAPI.GetFeed(ctx, match).After(page.Cursor).Execute())
	}
}

func main() {
	settings := tafelrunde.NewConfiguration()
	settings.Servers = tafelrunde.ServerConfigurations{{URL: os.Args[1] + "/api/v1"}}
	client := tafelrunde.NewAPIClient(settings)
	issued := told(client.PlayersAPI.CreatePlayer(context.Background()).PlayerRequest(*tafelrunde.NewPlayerRequest()).Execute())
	ctx := context.WithValue(context.Background(), tafelrunde.ContextAccessToken, issued.Text)
	for _, game := range told(client.GamesAPI.ListGames(ctx).Execute()).Items {
		view := play(ctx, client, game.Id, game.MinSeats)
		var places []int64
		for _, placing := range view.Placings {
			places = append(places, placing.Rank)
		}
		fmt.Printf("%s: %s, places %v\n", game.Id, read(ctx, client, view.Match), places)
	}
}
