// Plays a match of every game with the generated client: Play.exe <address of a service>

using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using Newtonsoft.Json;
using Tafelrunde.Api;
using Tafelrunde.Client;
using Tafelrunde.Model;

internal sealed class Play
{
    private readonly Random random = new Random(1);
    private readonly Configuration settings = new Configuration();
    private readonly MatchesApi matches;
    private readonly PlayApi table;

    private Play(string url)
    {
        // A union of the generated classes refuses new fields, which clients ignore.
        AbstractOpenAPISchema.SerializerSettings.MissingMemberHandling = MissingMemberHandling.Ignore;
        // The generated classes have no nullable enums: what is null is left out, and reads as 0, which is no member.
        JsonConvert.DefaultSettings = () => new JsonSerializerSettings { NullValueHandling = NullValueHandling.Ignore };
        settings.BasePath = url + "/api/v1";
        settings.AccessToken = new PlayersApi(settings).CreatePlayer(new PlayerRequest()).Text;
        matches = new MatchesApi(settings);
        table = new PlayApi(settings);
    }

    /// Opens a match against bots and begins it; returns its facts, with the commitment to the secret that its cards come from.
    private MatchFacts Sit(GameFacts game)
    {
        var bots = Enumerable.Range(1, game.MinSeats - 1).Select(seat => new BotSeat(seat, "random")).ToList();
        var id = JsonConvert.DeserializeObject<MatchRequest.GameEnum>('"' + game.Id + '"');
        var request = new MatchRequest(id, game.MinSeats, bots: bots);
        // Here null has to be sent: without `seat` the opening takes a seat.
        var usual = JsonConvert.DefaultSettings;
        JsonConvert.DefaultSettings = null;
        var match = matches.OpenMatch(Key(), request).Match;
        JsonConvert.DefaultSettings = usual;
        var facts = matches.GetMatch(match);
        // The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
        matches.TakeSeat(match, Key(), new SeatRequest(0, Key()));
        matches.StartMatch(match, Key());
        return facts;
    }

    /// Checks that a finished match was dealt from the secret that was committed to before it began.
    private void Check(MatchFacts facts)
    {
        var text = "tafelrunde/commitment/1|" + facts.Match + "|" + table.ListProofs(facts.Match).Secret;
        var found = SHA256.Create().ComputeHash(Encoding.UTF8.GetBytes(text));
        if (BitConverter.ToString(found).Replace("-", "").ToLowerInvariant() != facts.Commitment)
        {
            throw new InvalidOperationException(facts.Match + ": another secret");
        }
    }

    /// Plays a match against bots to its end, and returns the last view of it.
    private View Finish(GameFacts game)
    {
        var facts = Sit(game);
        var match = facts.Match;
        string cursor = null;
        for (;;)
        {
            var view = table.GetView(match);
            if (view.Status == Status.Over)
            {
                Check(facts);
                return view;
            }
            if (view.Question == null || view.Question.Answered != null) cursor = table.GetFeed(match, cursor, wait: 10).Cursor;
            else Answer(match, view.Question);
        }
    }

    /// Gives one of the legal commands, unless somebody else has closed the decision meanwhile.
    private void Answer(string match, Question question)
    {
        var command = question.Legal[random.Next(question.Legal.Count)];
        try
        {
            table.GiveCommand(match, Key(), new CommandRequest(question.Decision, command));
        }
        catch (ApiException problem) when (problem.Message.Contains("urn:tafelrunde:problem:decision-closed"))
        {
        }
    }

    /// Reads the whole feed, and returns how many events it has, and how many are of a kind that this client does not know.
    private string Read(string match)
    {
        var kinds = new List<object>();
        Feed page = null;
        do
        {
            page = table.GetFeed(match, page == null ? null : page.Cursor);
            kinds.AddRange(page.Items.Select(item => item.Event.ActualInstance));
        } while (page.More);
        return kinds.Count + " events, " + kinds.Count(kind => kind is UnknownKind) + " unknown";
    }

    private static string Key()
    {
        return Guid.NewGuid().ToString();
    }

    private static void Main(string[] arguments)
    {
        var player = new Play(arguments[0]);
        foreach (var game in new GamesApi(player.settings).ListGames().Items)
        {
            var view = player.Finish(game);
            var places = string.Join(", ", view.Placings.Select(placing => placing.Rank));
            Console.WriteLine(game.Id + ": " + player.Read(view.Match) + ", places [" + places + "]");
        }
    }
}
