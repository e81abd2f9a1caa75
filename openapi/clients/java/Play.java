// Plays a match of every game with the generated client: Play <address of a service>

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.GamesApi;
import org.openapitools.client.api.MatchesApi;
import org.openapitools.client.api.PlayApi;
import org.openapitools.client.api.PlayersApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.*;

final class Play {
    private final Random random = new Random(1);
    private final ApiClient connection = new ApiClient();
    private final MatchesApi matches;
    private final PlayApi table;

    /** Becomes a guest. What is set on the connection counts for the parts of the API that are made afterwards. */
    private Play(String url) throws ApiException {
        connection.updateBaseUri(url + "/api/v1");
        // A class of a union refuses null where a field may have it: leave such fields as they are.
        JsonSetter.Value skipped = JsonSetter.Value.forValueNulls(Nulls.SKIP);
        ObjectMapper mapper = connection.getObjectMapper().setDefaultSetterInfo(skipped);
        // The generated classes leave out what is null: `seat` is to be sent as null, since without it the opening takes a seat.
        JsonInclude.Value sent = JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);
        mapper.configOverride(Integer.class).setInclude(sent);
        connection.setObjectMapper(mapper);
        String token = new PlayersApi(connection).createPlayer(new PlayerRequest()).getText();
        connection.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        matches = new MatchesApi(connection);
        table = new PlayApi(connection);
    }

    /** Opens a match against bots and begins it; returns its facts, with the commitment to the secret that its cards come from. */
    private MatchFacts sit(GameFacts game) throws ApiException {
        MatchRequest request = new MatchRequest().game(MatchRequest.GameEnum.fromValue(game.getId())).seats(game.getMinSeats()).seat(null);
        for (int seat = 1; seat < game.getMinSeats(); seat++) request.addBotsItem(new BotSeat().seat(seat).bot("random"));
        String match = matches.openMatch(key(), request).getMatch();
        MatchFacts facts = matches.getMatch(match, null);
        // The secret is fixed: a nonce that is drawn now is one that it could not be chosen for.
        matches.takeSeat(match, key(), new SeatRequest().seat(0).nonce(key()));
        matches.startMatch(match, key());
        return facts;
    }

    /** Checks that a finished match was dealt from the secret that was committed to before it began. */
    private void check(MatchFacts facts) throws ApiException, NoSuchAlgorithmException {
        String secret = table.listProofs(facts.getMatch(), null, null).getSecret();
        String text = "tafelrunde/commitment/1|" + facts.getMatch() + "|" + secret;
        byte[] found = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        if (!HexFormat.of().formatHex(found).equals(facts.getCommitment())) throw new IllegalStateException(facts.getMatch() + ": another secret");
    }

    /** Plays a match against bots to its end, and returns its id. */
    private String play(GameFacts game) throws ApiException, NoSuchAlgorithmException {
        MatchFacts facts = sit(game);
        String match = facts.getMatch();
        String cursor = null;
        for (View view = look(match); view.getStatus() != Status.OVER; view = look(match)) {
            Question question = view.getQuestion();
            if (question == null || question.getAnswered() != null) {
                cursor = table.getFeed(match, cursor, null, 10).getCursor();
            } else {
                answer(match, question);
            }
        }
        check(facts);
        return match;
    }

    private View look(String match) throws ApiException {
        return table.getView(match, null, null, null);
    }

    /** Gives one of the legal commands, unless somebody else has closed the decision meanwhile. */
    private void answer(String match, Question question) throws ApiException {
        List<GameCommand> legal = question.getLegal();
        GameCommand command = legal.get(random.nextInt(legal.size()));
        try {
            table.giveCommand(match, key(), new CommandRequest().decision(question.getDecision()).command(command), null);
        } catch (ApiException problem) {
            if (!problem.getResponseBody().contains("urn:tafelrunde:problem:decision-closed")) throw problem;
        }
    }

    /** Reads the whole feed, and returns how many events it has, and how many are of a kind that this client does not know. */
    private String read(String match) throws ApiException {
        int events = 0, unknown = 0;
        Feed page = null;
        do {
            page = table.getFeed(match, page == null ? null : page.getCursor(), null, null);
            events += page.getItems().size();
            for (FeedEntry entry : page.getItems()) if (entry.getEvent().getActualInstance() instanceof UnknownKind) unknown++;
        } while (page.getMore());
        return events + " events, " + unknown + " unknown";
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    public static void main(String[] arguments) throws ApiException, NoSuchAlgorithmException {
        Play player = new Play(arguments[0]);
        for (GameFacts game : new GamesApi(player.connection).listGames(null).getItems()) {
            String match = player.play(game);
            List<Long> places = player.look(match).getPlacings().stream().map(Placing::getRank).toList();
            System.out.println(game.getId() + ": " + player.read(match) + ", places " + places);
        }
        // Webhooks tell another service of matches. A new player has none.
        if (!new WebhooksApi(player.connection).listWebhooks().getItems().isEmpty()) throw new IllegalStateException("a webhook of somebody else");
    }
}
