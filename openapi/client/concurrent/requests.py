"""The operations of the contract. Made by `make client`: change what it is made from instead."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from types import NoneType

from ..calls import Call, Shape, fresh_key
from ..shapes import (
    Act,
    ActList,
    Application,
    ApplicationList,
    AwayList,
    Board,
    BrowserKeys,
    Checkpoint,
    Coaching,
    Command,
    Consistency,
    Cosignatures,
    Daily,
    DailyBoard,
    DailyRanking,
    DayProof,
    Delivery,
    DeliveryPage,
    Export,
    Feed,
    Game,
    GameList,
    GameSheet,
    Hint,
    Inbox,
    InboxItem,
    Invitation,
    InvitationList,
    IssuedDeviceCode,
    IssuedToken,
    IssuedWebhook,
    Item,
    LeafHashes,
    LeafProofs,
    Lesson,
    LineRef,
    LogEntries,
    Match,
    MatchInvitations,
    MatchPage,
    Muted,
    MutedList,
    NoticeBrowser,
    Notices,
    OpenId,
    OpenIdBegun,
    OpenIdLink,
    OpeningProof,
    OwnAct,
    OwnActList,
    Passkey,
    PasskeyList,
    PasskeyOptions,
    Person,
    PersonList,
    PersonPage,
    Placing,
    Plain,
    Player,
    Program,
    Proof,
    Proofs,
    PushKey,
    Puzzle,
    QuickList,
    QuickPlace,
    QuickSeekers,
    RatingHistories,
    Receipt,
    Report,
    ReportList,
    ReportReceipt,
    SeatAway,
    SeatToken,
    SignedUp,
    SigningKeys,
    SignInOptions,
    Talk,
    TalkLine,
    TalkSheet,
    Token,
    TokenList,
    Tournament,
    TournamentList,
    TournamentPage,
    TournamentRound,
    TournamentSheet,
    TurnList,
    Vacation,
    Verdict,
    View,
    ViewPage,
    Webhook,
    WebhookList,
)


class AsyncRequests(ABC):
    """A method for each operation, in the order of the contract; for some only the call, which the client asks for by hand."""

    @abstractmethod
    async def _ask(self, call: Call[Shape]) -> Shape:
        """Send a call, again if it may be, and return what its answer has."""

    async def games(self) -> tuple[Game, ...]:
        """List the games of this service."""
        return (await self._ask(Call(GameList, "listGames", "GET", "/games"))).items

    async def game(self, game: str) -> GameSheet:
        """Get a game: seats, bots, refusal codes, texts, and the schemas of its options, commands, events and view."""
        return await self._ask(Call(GameSheet, "getGame", "GET", "/games/{game}", parts={"game": game}))

    async def rules(self, game: str, lang: str = "en") -> str:
        """Get the rule sheet of a game, in Markdown."""
        return await self._ask(
            Call(
                str,
                "getRules",
                "GET",
                "/games/{game}/rules",
                parts={"game": game},
                parameters={"lang": lang},
                accept="text/markdown",
            )
        )

    def _create_player(self, *, name: str | None = None, bot: bool = False) -> Call[SignedUp]:
        """Create a player: a guest, or with a display name.

        Every call creates another player.
        """
        return Call(SignedUp, "createPlayer", "POST", "/players", body={"name": name, "bot": bot}, key=fresh_key())

    def _get_player(self, player: str) -> Call[Player]:
        """Get a player's display name and ratings."""
        return Call(Player, "getPlayer", "GET", "/players/{player}", parts={"player": player})

    async def program(self, player: str) -> Program:
        """Get which program plays as a player: its keys, versions and signatures, as far as its operator has stated them."""
        return await self._ask(Call(Program, "getProgram", "GET", "/players/{player}/program", parts={"player": player}))

    def _get_me(self) -> Call[Player]:
        """Get your own player."""
        return Call(Player, "getMe", "GET", "/me")

    async def rename(self, name: str) -> Player:
        """Change your display name.

        A guest becomes a named player. A name that looks like that of someone else at a table of yours is refused.
        """
        return await self._ask(Call(Player, "renameMe", "PATCH", "/me", body={"name": name}))

    async def delete_me(self) -> None:
        """Delete your player: its name, tokens, seats in unfinished matches, lines in rankings of days, and answers to puzzles.

        Finished matches keep only the player's id.
        """
        await self._ask(Call(NoneType, "deleteMe", "DELETE", "/me"))

    async def declare_program(self, **statement: Plain) -> Program:
        """State which program plays as you, with a signature.

        Only for players that declare to be a program. Fields: `key`, `version`, `signed_ms`, `signature`, `source`,
        `previous`, `endorsement`.
        """
        return await self._ask(Call(Program, "declareProgram", "PUT", "/me/program", body=statement))

    async def revoke_program(self) -> None:
        """Revoke the keys of your program permanently.

        What they have signed stays visible, and no further statement is accepted.
        """
        await self._ask(Call(NoneType, "revokeProgram", "DELETE", "/me/program"))

    async def tokens(self) -> tuple[Token, ...]:
        """List your tokens."""
        return (await self._ask(Call(TokenList, "listTokens", "GET", "/me/tokens"))).items

    async def create_token(
        self, label: str = "token", scopes: Iterable[str] = ("read", "play"), *, expires_ms: int | None = None
    ) -> IssuedToken:
        """Create another token, for example a read-only one for a page that embeds a match."""
        return await self._ask(
            Call(
                IssuedToken,
                "createToken",
                "POST",
                "/me/tokens",
                body={"label": label, "scopes": list(scopes), "expires_ms": expires_ms},
                key=fresh_key(),
            )
        )

    async def revoke_token(self, token: str) -> None:
        """Revoke a token.

        Repeated with the same key, for instance as the answer was lost, it says the same.
        """
        await self._ask(Call(NoneType, "revokeToken", "DELETE", "/me/tokens/{token}", parts={"token": token}, key=fresh_key()))

    def _open_match(self, **settings: Plain) -> Call[Receipt]:
        """Open a match.

        You become its host, and take a seat unless `seat` is None. Fields: `game`, `seats`, `options`, `clock`,
        `spectators`, `visibility`, `seat`, `bots`, `nonce`, `nonce_with_opening`, `start`, `rated`, `hints`.
        """
        return Call(Receipt, "openMatch", "POST", "/matches", body=settings, key=fresh_key())

    def _list_matches(
        self,
        game: str | None = None,
        *,
        status: str | None = None,
        after: str | None = None,
        limit: int = 50,
        watchable: bool = False,
    ) -> Call[MatchPage]:
        """List matches with visibility `listed`, newest first; with `watchable` those that anyone may watch now."""
        return Call(
            MatchPage,
            "listMatches",
            "GET",
            "/matches",
            parameters={"game": game, "status": status, "after": after, "limit": limit, "watchable": watchable},
        )

    def _list_my_matches(
        self, game: str | None = None, *, status: str | None = None, after: str | None = None, limit: int = 50
    ) -> Call[MatchPage]:
        """List the matches in which you, or users of your application, play, and those you host, newest first.

        Rematches in which a seat is reserved for you are among them. `your_turn` says whether you have to act.
        """
        return Call(
            MatchPage,
            "listMyMatches",
            "GET",
            "/me/matches",
            parameters={"game": game, "status": status, "after": after, "limit": limit},
        )

    async def my_turns(self, limit: int = 50) -> tuple[Match, ...]:
        """List the running matches in which you have to act, the one with the least time left first.

        `deadline_ms` says until when, `now_ms` what time it is for the service.
        """
        return (await self._ask(Call(TurnList, "listMyTurns", "GET", "/me/turns", parameters={"limit": limit}))).items

    async def match(self, match: str) -> Match:
        """Get a match: its settings, seats, open decision and result."""
        return await self._ask(Call(Match, "getMatch", "GET", "/matches/{match}", parts={"match": match}))

    def _take_seat(self, match: str, *, seat: int | None = None, nonce: str = "") -> Call[Receipt]:
        """Take a seat: a given one, the one reserved for you, or the first free one.

        In a running match, take yours back from a bot. A rematch begins when the last reserved seat is taken and none
        is empty. Keep its commitment, and then draw a fresh nonce, before you take yours.
        """
        return Call(
            Receipt,
            "takeSeat",
            "POST",
            "/matches/{match}/seats",
            parts={"match": match},
            body={"seat": seat, "nonce": nonce},
            key=fresh_key(),
        )

    async def leave(self, match: str) -> Receipt:
        """Leave your seat, or give up the one reserved for you; in a running match a bot takes over.

        If the host leaves before the start, the next player is the host.
        """
        return await self._ask(
            Call(Receipt, "leaveSeat", "DELETE", "/matches/{match}/seats/me", parts={"match": match}, key=fresh_key())
        )

    async def seat_bot(self, match: str, seat: int, bot: str) -> Receipt:
        """Put a bot on an empty seat, also on a reserved one.

        Host only.
        """
        return await self._ask(
            Call(
                Receipt,
                "seatBot",
                "PUT",
                "/matches/{match}/seats/{seat}/bot",
                parts={"match": match, "seat": seat},
                body={"bot": bot},
                key=fresh_key(),
            )
        )

    async def clear_seat(self, match: str, seat: int) -> Receipt:
        """Clear a seat before the start, or end its reservation.

        Host only. A removed player cannot take a seat in this match again; one whose seat was only reserved can.
        """
        return await self._ask(
            Call(
                Receipt,
                "clearSeat",
                "DELETE",
                "/matches/{match}/seats/{seat}",
                parts={"match": match, "seat": seat},
                key=fresh_key(),
            )
        )

    async def pass_host(self, match: str, player: str) -> Receipt:
        """Make another player who sits at the table its host, before the start.

        Host only.
        """
        return await self._ask(
            Call(
                Receipt,
                "passHost",
                "PUT",
                "/matches/{match}/host",
                parts={"match": match},
                body={"player": player},
                key=fresh_key(),
            )
        )

    def _start_match(self, match: str) -> Call[Receipt]:
        """Start the match once all seats are filled.

        Host only.
        """
        return Call(Receipt, "startMatch", "POST", "/matches/{match}/start", parts={"match": match}, key=fresh_key())

    async def rematch(self, match: str) -> Receipt:
        """Agree to a rematch with the same seats.

        It opens when the last player agrees; the view then names it as `rematch`. A seat is reserved there for each
        player. Take yours (`takeSeat`) with a nonce that you draw once you have the commitment of the new match, which
        begins when all have done so. To give it up, leave it.
        """
        return await self._ask(
            Call(Receipt, "agreeRematch", "POST", "/matches/{match}/rematch", parts={"match": match}, key=fresh_key())
        )

    async def abort(self, match: str) -> Receipt:
        """Abort a match: the host ends an open one; players agree to end a running one without a result."""
        return await self._ask(
            Call(Receipt, "abortMatch", "POST", "/matches/{match}/abort", parts={"match": match}, key=fresh_key())
        )

    async def seat_token(self, match: str, seat: int) -> SeatToken:
        """Create a short-lived token for your seat that can read and play this match and nothing else.

        Called with such a token, it is exchanged: the response has a fresh one, and the old one is revoked. All of them
        end with the token that made the first: when it expires, or is revoked.
        """
        return await self._ask(
            Call(
                SeatToken,
                "createSeatToken",
                "POST",
                "/matches/{match}/seats/{seat}/tokens",
                parts={"match": match, "seat": seat},
                key=fresh_key(),
            )
        )

    async def seat_user(
        self, match: str, user: str, *, name: str | None = None, seat: int | None = None, nonce: str = ""
    ) -> SeatToken:
        """Seat a user of your application and create a token for the seat.

        The same user is always the same player. A user who is already seated gets another token, so a page that lost
        its token can simply ask its application again.
        """
        return await self._ask(
            Call(
                SeatToken,
                "seatUser",
                "POST",
                "/matches/{match}/users",
                parts={"match": match},
                body={"user": user, "name": name, "seat": seat, "nonce": nonce},
                key=fresh_key(),
            )
        )

    async def what_if(self, match: str, decision: int, seat: int, *, bot: str | None = None, nonce: str = "") -> Receipt:
        """Start a practice match from a decision of a finished match: unlisted, unrated, with bots on all other seats."""
        return await self._ask(
            Call(
                Receipt,
                "openWhatIf",
                "POST",
                "/matches/{match}/what-if",
                parts={"match": match},
                body={"decision": decision, "seat": seat, "bot": bot, "nonce": nonce},
                key=fresh_key(),
            )
        )

    async def view(self, match: str, at: str | None = None, *, perspective: str | None = None) -> View:
        """Get the table as seen from your seat, or as a spectator.

        The ETag changes with the cursor of your feed.
        """
        return await self._ask(
            Call(
                View,
                "getView",
                "GET",
                "/matches/{match}/view",
                parts={"match": match},
                parameters={"at": at, "perspective": perspective},
            )
        )

    async def views(self, match: str, after: str | None = None, *, limit: int = 20, perspective: str | None = None) -> ViewPage:
        """Get the view at each item of your feed after a cursor: what a client needs to show events one by one."""
        return await self._ask(
            Call(
                ViewPage,
                "getViews",
                "GET",
                "/matches/{match}/views",
                parts={"match": match},
                parameters={"after": after, "limit": limit, "perspective": perspective},
            )
        )

    def _give_command(
        self, match: str, decision: int, command: Command, dry_run: bool = False, *, signed: bool = False
    ) -> Call[Receipt]:
        """Answer a decision.

        Hidden answers of other seats never conflict with it: only a closed decision refuses it.
        """
        return Call(
            Receipt,
            "giveCommand",
            "POST",
            "/matches/{match}/commands",
            parts={"match": match},
            parameters={"dry_run": dry_run, "signed": signed},
            body={"decision": decision, "command": command},
            key=fresh_key(),
        )

    def _get_feed(self, match: str, after: str | None = None, *, limit: int = 100, wait_seconds: int = 0) -> Call[Feed]:
        """Get a page of your feed: every event you may see, in order.

        With `after` a stream's last id, it has that signed.
        """
        return Call(
            Feed,
            "getFeed",
            "GET",
            "/matches/{match}/feed",
            parts={"match": match},
            parameters={"after": after, "limit": limit, "wait": wait_seconds},
        )

    def _stream_feed(self, match: str) -> Call[Item]:
        """Stream your feed as server-sent events.

        `item` carries one item, with its cursor as the id; `reset`: you have taken or lost a seat, or the history has
        changed, and the feed starts over; `end` follows the last item of a finished match; `bye`: the connection is
        closing for another reason, so reconnect.
        """
        return Call(Item, "streamFeed", "GET", "/matches/{match}/stream", parts={"match": match}, accept="text/event-stream")

    async def proofs(self, match: str, after: int = 0, *, limit: int = 100) -> Proofs:
        """List the commitments to dealt cards, with the cards you can prove under each."""
        return await self._ask(
            Call(
                Proofs,
                "listProofs",
                "GET",
                "/matches/{match}/proofs",
                parts={"match": match},
                parameters={"after": after, "limit": limit},
            )
        )

    async def proof(self, match: str, deal: int, index: int) -> Proof:
        """Get the proof of a card: your own, one that was shown, or any card once the match is over.

        Any other card is 404.
        """
        return await self._ask(
            Call(
                Proof,
                "getProof",
                "GET",
                "/matches/{match}/proofs/{deal}/{index}",
                parts={"match": match, "deal": deal, "index": index},
            )
        )

    async def void(self, match: str, reason: str) -> Match:
        """Void the result of a finished match.

        Operators only. The moves stay as played; lists and ratings are updated.
        """
        return await self._ask(
            Call(
                Match,
                "voidMatch",
                "POST",
                "/matches/{match}/void",
                parts={"match": match},
                body={"reason": reason},
                key=fresh_key(),
            )
        )

    async def adjudicate(self, match: str, placings: Iterable[Placing], reason: str) -> Match:
        """Change the result of a finished match.

        Operators only. The moves stay as played; lists and ratings are updated.
        """
        return await self._ask(
            Call(
                Match,
                "adjudicateMatch",
                "POST",
                "/matches/{match}/adjudicate",
                parts={"match": match},
                body={"placings": list(placings), "reason": reason},
                key=fresh_key(),
            )
        )

    async def record(self, match: str) -> bytes:
        """Get the record of a finished match, to verify it yourself: JSON, or JSON lines with `Accept: application/x-ndjson`."""
        return await self._ask(
            Call(bytes, "getRecord", "GET", "/matches/{match}/record", parts={"match": match}, accept="application/x-ndjson")
        )

    async def verification(self, match: str, bots: int = 0) -> Verdict:
        """Verify a finished match: run it again and compare the result with the stored one.

        Anyone can do so with the record.
        """
        return await self._ask(
            Call(
                Verdict,
                "getVerification",
                "GET",
                "/matches/{match}/verification",
                parts={"match": match},
                parameters={"bots": bots},
            )
        )

    def _list_my_records(self, game: str | None = None, *, after: str | None = None, limit: int = 20) -> Call[bytes]:
        """Get the records of all finished matches that you host or played in, page by page, newest first.

        The last line has the cursor of the next page (`{"line":"page","cursor":...}`); without that line the response
        was cut off. A page ends early if your budget of reads does. A match whose record you may not have is a line
        `{"line":"absent",...}`.
        """
        return Call(
            bytes,
            "listMyRecords",
            "GET",
            "/me/records",
            parameters={"game": game, "after": after, "limit": limit},
            accept="application/x-ndjson",
        )

    def _list_records(self, game: str | None = None, *, after: str | None = None, limit: int = 20) -> Call[bytes]:
        """Get the records of all finished matches with visibility `listed`, page by page, newest first.

        See `listMyRecords`.
        """
        return Call(
            bytes,
            "listRecords",
            "GET",
            "/records",
            parameters={"game": game, "after": after, "limit": limit},
            accept="application/x-ndjson",
        )

    async def hint(self, match: str) -> Hint:
        """Get a hint for your open decision, if the match allows hints.

        The match records that you took it.
        """
        return await self._ask(Call(Hint, "getHint", "GET", "/matches/{match}/hint", parts={"match": match}))

    async def lesson(self, game: str) -> Lesson:
        """Get what a game's lesson says, and when.

        The texts are the same for everyone and say nothing of the cards of others.
        """
        return await self._ask(Call(Lesson, "getLesson", "GET", "/games/{game}/lesson", parts={"game": game}))

    async def open_lesson(self, game: str) -> Receipt:
        """Open a game's lesson: a practice match, unlisted and unrated, whose cards and bots are the same for everyone."""
        return await self._ask(Call(Receipt, "openLesson", "POST", "/games/{game}/lesson", parts={"game": game}, key=fresh_key()))

    async def checkpoint(self) -> Checkpoint:
        """Get the latest checkpoint of the transparency log: its size and root.

        Keep it to prove later that nothing was changed.
        """
        return await self._ask(Call(Checkpoint, "getCheckpoint", "GET", "/log/checkpoint"))

    async def signed_checkpoint(self) -> bytes:
        """Get the latest checkpoint as a signed note in the form of C2SP's tlog-checkpoint, for witnesses and tools that read it."""
        return await self._ask(Call(bytes, "getSignedCheckpoint", "GET", "/log/signed-checkpoint", accept="text/plain"))

    async def signing_keys(self) -> SigningKeys:
        """Get the public keys that sign checkpoints, receipts and feeds; also at `/.well-known/tafelrunde-keys` of the host."""
        return await self._ask(Call(SigningKeys, "getSigningKeys", "GET", "/log/keys"))

    async def log_proofs(self, match: str, size: int | None = None) -> LeafProofs:
        """Get proof that a match is in the log.

        A match is entered right after it ends, and again with each correction.
        """
        return await self._ask(
            Call(LeafProofs, "getLogProofs", "GET", "/log/proofs/{match}", parts={"match": match}, parameters={"size": size})
        )

    async def opening_proof(self, match: str, size: int | None = None) -> OpeningProof:
        """Get proof that the opening of a match is in the log, with its commitments: soon after it, also while the match runs."""
        return await self._ask(
            Call(
                OpeningProof, "getOpeningProof", "GET", "/log/openings/{match}", parts={"match": match}, parameters={"size": size}
            )
        )

    async def day_proof(self, day: str, size: int | None = None) -> DayProof:
        """Get proof that the commitment to a day's deals is in the log, which has one for each day, from the day before on."""
        return await self._ask(
            Call(DayProof, "getDayProof", "GET", "/log/days/{day}", parts={"day": day}, parameters={"size": size})
        )

    async def log_consistency(self, earlier: int = 1, later: int | None = None) -> Consistency:
        """Get proof that the log at a later checkpoint begins with the log at an earlier one."""
        return await self._ask(
            Call(Consistency, "getLogConsistency", "GET", "/log/consistency", parameters={"from": earlier, "to": later})
        )

    async def log_leaves(self, first: int = 0, *, limit: int = 1000) -> LeafHashes:
        """List the hashes of all leaves in order, to monitor the log.

        The content of a leaf is available only from its match.
        """
        return await self._ask(
            Call(LeafHashes, "listLogLeaves", "GET", "/log/leaves", parameters={"from": first, "limit": limit})
        )

    async def log_entries(self, first: int = 0, *, limit: int = 1000) -> LogEntries:
        """List what everyone may know of the leaves, in order: openings and days with their commitments, ends, and signing keys."""
        return await self._ask(
            Call(LogEntries, "listLogEntries", "GET", "/log/entries", parameters={"from": first, "limit": limit})
        )

    async def cosignatures(self) -> Cosignatures:
        """List the latest checkpoint that each witness has signed.

        Decide for yourself which witnesses you trust.
        """
        return await self._ask(Call(Cosignatures, "listCosignatures", "GET", "/log/cosignatures"))

    async def add_cosignature(self, witness: str, note: str) -> None:
        """Hand in a checkpoint that you have signed as a witness, as `tafelrunde witness` does."""
        await self._ask(Call(NoneType, "addCosignature", "POST", "/log/cosignatures", body={"witness": witness, "note": note}))

    async def leaderboard(self, game: str, after: str | None = None, *, limit: int = 50, kind: str | None = None) -> Board:
        """List the leaderboard of a game, best first: everyone, or one kind.

        Aborted, voided and unrated matches do not count.
        """
        return await self._ask(
            Call(
                Board,
                "getLeaderboard",
                "GET",
                "/leaderboards/{game}",
                parts={"game": game},
                parameters={"after": after, "limit": limit, "kind": kind},
            )
        )

    async def rating_history(self, player: str) -> RatingHistories:
        """Get what a player's rating was after each of its newest rated matches, by game."""
        return await self._ask(
            Call(RatingHistories, "getRatingHistory", "GET", "/players/{player}/ratings", parts={"player": player})
        )

    async def ask_for_coaching(self, match: str, seat: int | None = None) -> Coaching:
        """Ask for coaching on a seat of a finished match.

        It is made in the background, once, and kept with the match.
        """
        return await self._ask(
            Call(
                Coaching,
                "askForCoaching",
                "POST",
                "/matches/{match}/coaching",
                parts={"match": match},
                parameters={"seat": seat},
                key=fresh_key(),
            )
        )

    async def coaching(self, match: str, seat: int | None = None) -> Coaching:
        """Get the coaching on a seat of a finished match, or what there is of it while it is being made."""
        return await self._ask(
            Call(Coaching, "getCoaching", "GET", "/matches/{match}/coaching", parts={"match": match}, parameters={"seat": seat})
        )

    async def today(self) -> DailyBoard:
        """Get the deals and puzzles of today of all games in short, with your tries and your streak if you send a token."""
        return await self._ask(Call(DailyBoard, "getToday", "GET", "/daily"))

    async def daily(self, game: str) -> Daily:
        """Get what is known of a game's deal of today, with your try if you have one, and the commitment to that of tomorrow."""
        return await self._ask(Call(Daily, "getDaily", "GET", "/daily/{game}", parts={"game": game}))

    async def open_daily(self, game: str) -> Receipt:
        """Play a game's deal of today: the same cards and bots for all.

        You have one try: asked again, it is the same match.
        """
        return await self._ask(Call(Receipt, "openDaily", "POST", "/daily/{game}", parts={"game": game}, key=fresh_key()))

    async def daily_ranking(self, game: str, day: str | None = None, *, after: int = 0, limit: int = 50) -> DailyRanking:
        """List who did best in a game's deal of a day: by place at the table, then by score; among winners, by fewer decisions.

        Rankings are kept for 31 days. They have nothing to do with ratings.
        """
        return await self._ask(
            Call(
                DailyRanking,
                "getDailyRanking",
                "GET",
                "/daily/{game}/ranking",
                parts={"game": game},
                parameters={"day": day, "after": after, "limit": limit},
            )
        )

    async def puzzle(self, game: str | None = None) -> Puzzle:
        """Get the puzzle of today: find the best answer to a decision of a finished match, from what its seat could know."""
        return await self._ask(Call(Puzzle, "getPuzzle", "GET", "/puzzles/today", parameters={"game": game}))

    async def answer_puzzle(self, game: str, day: str, command: Command) -> Puzzle:
        """Answer a puzzle of today.

        Your first answer counts: asked again, it is the same solution with that answer.
        """
        return await self._ask(
            Call(
                Puzzle,
                "answerPuzzle",
                "POST",
                "/puzzles/today",
                body={"game": game, "day": day, "command": command},
                key=fresh_key(),
            )
        )

    async def inbox(self, after: str | None = None, *, limit: int = 100, wait_seconds: int = 0) -> Inbox:
        """Get what has happened in all of your matches since a cursor.

        Without one: no items, but the cursor to begin with.
        """
        return await self._ask(
            Call(Inbox, "getInbox", "GET", "/me/inbox", parameters={"after": after, "limit": limit, "wait": wait_seconds})
        )

    def _stream_inbox(self) -> Call[InboxItem]:
        """Stream what happens in all of your matches, and those of your application's users, as server-sent events.

        `start` carries the cursor where the items will begin, if you sent none; `item` carries one item, with its
        cursor as the id; `reset`: items are lost, so list your matches again after the `start` that follows; `bye`:
        reconnect.
        """
        return Call(InboxItem, "streamInbox", "GET", "/me/inbox/stream", accept="text/event-stream")

    async def create_webhook(
        self, url: str, events: Iterable[str], *, game: str | None = None, match: str | None = None
    ) -> IssuedWebhook:
        """Create a webhook for the matches you host, play in, or have seated users of your application in.

        It receives only what happens from now on. The URL is checked again for every message.
        """
        return await self._ask(
            Call(
                IssuedWebhook,
                "createWebhook",
                "POST",
                "/webhooks",
                body={"url": url, "events": list(events), "game": game, "match": match},
                key=fresh_key(),
            )
        )

    async def webhooks(self) -> tuple[Webhook, ...]:
        """List your webhooks."""
        return (await self._ask(Call(WebhookList, "listWebhooks", "GET", "/webhooks"))).items

    async def webhook(self, webhook: str) -> Webhook:
        """Get one of your webhooks."""
        return await self._ask(Call(Webhook, "getWebhook", "GET", "/webhooks/{webhook}", parts={"webhook": webhook}))

    async def change_webhook(self, webhook: str, **changes: Plain) -> Webhook:
        """Change, pause or resume a webhook.

        Resuming sends the waiting messages and resets the failure count. Fields: `url`, `events`, `game`, `match`,
        `paused`.
        """
        return await self._ask(
            Call(Webhook, "changeWebhook", "PATCH", "/webhooks/{webhook}", parts={"webhook": webhook}, body=changes)
        )

    async def delete_webhook(self, webhook: str) -> None:
        """Delete a webhook.

        Messages in flight may still arrive.
        """
        await self._ask(Call(NoneType, "deleteWebhook", "DELETE", "/webhooks/{webhook}", parts={"webhook": webhook}))

    async def rotate_webhook_secret(self, webhook: str) -> IssuedWebhook:
        """Rotate a webhook's secret.

        For a day, every message is also signed with the old one.
        """
        return await self._ask(
            Call(
                IssuedWebhook,
                "rotateWebhookSecret",
                "POST",
                "/webhooks/{webhook}/secret",
                parts={"webhook": webhook},
                key=fresh_key(),
            )
        )

    async def ping_webhook(self, webhook: str) -> Delivery:
        """Send a test message to a webhook.

        See the result in its deliveries.
        """
        return await self._ask(
            Call(Delivery, "pingWebhook", "POST", "/webhooks/{webhook}/ping", parts={"webhook": webhook}, key=fresh_key())
        )

    async def deliveries(self, webhook: str, after: str | None = None, *, limit: int = 50) -> DeliveryPage:
        """List the deliveries of a webhook, newest first.

        All pending ones are kept, and the last 500 others.
        """
        return await self._ask(
            Call(
                DeliveryPage,
                "listDeliveries",
                "GET",
                "/webhooks/{webhook}/deliveries",
                parts={"webhook": webhook},
                parameters={"after": after, "limit": limit},
            )
        )

    async def delivery(self, webhook: str, delivery: str) -> Delivery:
        """Get a delivery of a webhook, with its latest attempts."""
        return await self._ask(
            Call(
                Delivery,
                "getDelivery",
                "GET",
                "/webhooks/{webhook}/deliveries/{delivery}",
                parts={"webhook": webhook, "delivery": delivery},
            )
        )

    async def redeliver(self, webhook: str, delivery: str) -> Delivery:
        """Redeliver a message that was received or given up, with the same `webhook-id` and a new round of attempts."""
        return await self._ask(
            Call(
                Delivery,
                "redeliver",
                "POST",
                "/webhooks/{webhook}/deliveries/{delivery}/redeliveries",
                parts={"webhook": webhook, "delivery": delivery},
                key=fresh_key(),
            )
        )

    async def change_profile(self, **changes: Plain) -> Player:
        """Choose your avatar and the languages that you speak; everyone can see both.

        Fields: `avatar`, `languages`.
        """
        return await self._ask(Call(Player, "changeProfile", "PATCH", "/me/profile", body=changes))

    async def export_me(self) -> Export:
        """Export all that the service holds of you: profile, tokens without their text, matches, and what its parts keep."""
        return await self._ask(Call(Export, "exportMe", "GET", "/me/export"))

    async def player_matches(self, player: str, after: str | None = None, *, limit: int = 50) -> MatchPage:
        """List matches of a player that are over and listed, newest first.

        A page may have fewer than `limit` matches and yet a `cursor`.
        """
        return await self._ask(
            Call(
                MatchPage,
                "listPlayerMatches",
                "GET",
                "/players/{player}/matches",
                parts={"player": player},
                parameters={"after": after, "limit": limit},
            )
        )

    async def followed(self, after: str | None = None, *, limit: int = 50) -> PersonPage:
        """List the players that you follow, newest first.

        No one else can see it.
        """
        return await self._ask(
            Call(PersonPage, "listFollowed", "GET", "/me/followed", parameters={"after": after, "limit": limit})
        )

    async def follow_player(self, player: str) -> None:
        """Follow a player, who does not learn of it.

        At most 500.
        """
        await self._ask(Call(NoneType, "followPlayer", "PUT", "/me/followed/{player}", parts={"player": player}))

    async def unfollow_player(self, player: str) -> None:
        """Follow a player no longer."""
        await self._ask(Call(NoneType, "unfollowPlayer", "DELETE", "/me/followed/{player}", parts={"player": player}))

    async def blocked(self, after: str | None = None, *, limit: int = 50) -> PersonPage:
        """List the players that you have blocked, newest first.

        No one else can see it.
        """
        return await self._ask(Call(PersonPage, "listBlocked", "GET", "/me/blocked", parameters={"after": after, "limit": limit}))

    async def block_player(self, player: str) -> None:
        """Block a player, who does not learn of it: no invitation between you arrives, and no quick match puts you together.

        You follow it no longer. At most 500.
        """
        await self._ask(Call(NoneType, "blockPlayer", "PUT", "/me/blocked/{player}", parts={"player": player}))

    async def unblock_player(self, player: str) -> None:
        """Block a player no longer."""
        await self._ask(Call(NoneType, "unblockPlayer", "DELETE", "/me/blocked/{player}", parts={"player": player}))

    async def recent_players(self) -> tuple[Person, ...]:
        """List with whom you play or have played in your 50 newest matches, newest first, without those you have blocked."""
        return (await self._ask(Call(PersonList, "listRecentPlayers", "GET", "/me/recent-players"))).items

    async def invite_player(self, match: str, player: str) -> Invitation:
        """Invite a player to an open match that you host or sit in.

        It comes into the player's inbox and list (`listInvitations`). The player takes a seat as usual. At most 50
        players a match, and 50 invitations a day; whether one has come, and is read, is not shown.
        """
        return await self._ask(
            Call(
                Invitation,
                "invitePlayer",
                "POST",
                "/matches/{match}/invitations",
                parts={"match": match},
                body={"player": player},
                key=fresh_key(),
            )
        )

    async def match_invitations(self, match: str) -> MatchInvitations:
        """List who is invited to an open match that you host or sit in, oldest first, without those who have come.

        Whom you cannot invite by name comes by the link, or reads it as a QR code from your screen.
        """
        return await self._ask(
            Call(MatchInvitations, "listMatchInvitations", "GET", "/matches/{match}/invitations", parts={"match": match})
        )

    async def withdraw_invitation(self, match: str, player: str) -> None:
        """Withdraw an invitation to an open match that you host or sit in."""
        await self._ask(
            Call(
                NoneType,
                "withdrawInvitation",
                "DELETE",
                "/matches/{match}/invitations/{player}",
                parts={"match": match, "player": player},
            )
        )

    async def invitations(self) -> tuple[Invitation, ...]:
        """List the matches to which you are invited, newest first, as long as they are open, and at most for a week."""
        return (await self._ask(Call(InvitationList, "listInvitations", "GET", "/me/invitations"))).items

    async def decline_invitation(self, match: str) -> None:
        """Decline an invitation: those who sit at the match see it, and you are not invited to it again."""
        await self._ask(Call(NoneType, "declineInvitation", "DELETE", "/me/invitations/{match}", parts={"match": match}))

    async def create_device_code(self) -> IssuedDeviceCode:
        """Create a code with which another device of yours gets a token of its own, once, within ten minutes.

        The token has the scopes of yours among `read`, `play` and `create`, and its end. The code ends with your token.
        """
        return await self._ask(Call(IssuedDeviceCode, "createDeviceCode", "POST", "/me/device-codes", key=fresh_key()))

    async def drop_device_codes(self) -> None:
        """Revoke all codes for other devices that were not used yet."""
        await self._ask(Call(NoneType, "dropDeviceCodes", "DELETE", "/me/device-codes"))

    async def redeem_device_code(self, code: str, *, label: str = "device") -> SignedUp:
        """Exchange a code from another device for a token of this one.

        Of several who send the same code, one gets a token.
        """
        return await self._ask(
            Call(SignedUp, "redeemDeviceCode", "POST", "/device-codes", body={"code": code, "label": label}, key=fresh_key())
        )

    async def prepare_passkey(self) -> PasskeyOptions:
        """Get what to ask a browser for to make a passkey.

        Its challenge counts once, for five minutes. The token must not end, and must have the scopes `read`, `play` and
        `create`: a passkey leads to such tokens.
        """
        return await self._ask(Call(PasskeyOptions, "preparePasskey", "POST", "/me/passkey-options", key=fresh_key()))

    async def add_passkey(self, client_data: str, attestation: str, *, label: str = "Passkey") -> Passkey:
        """Add a passkey that a browser has made, so that you can sign in by it on any device.

        At most 10.
        """
        return await self._ask(
            Call(
                Passkey,
                "addPasskey",
                "POST",
                "/me/passkeys",
                body={"client_data": client_data, "attestation": attestation, "label": label},
                key=fresh_key(),
            )
        )

    async def passkeys(self) -> tuple[Passkey, ...]:
        """List your passkeys: how you call them, when they were made, and when you last signed in by them."""
        return (await self._ask(Call(PasskeyList, "listPasskeys", "GET", "/me/passkeys"))).items

    async def rename_passkey(self, passkey: str, label: str) -> Passkey:
        """Change how a passkey of yours is called."""
        return await self._ask(
            Call(Passkey, "renamePasskey", "PATCH", "/me/passkeys/{passkey}", parts={"passkey": passkey}, body={"label": label})
        )

    async def remove_passkey(self, passkey: str) -> None:
        """Remove a passkey: it signs in no longer.

        Devices on which you have signed in by it stay signed in.
        """
        await self._ask(Call(NoneType, "removePasskey", "DELETE", "/me/passkeys/{passkey}", parts={"passkey": passkey}))

    async def prepare_passkey_sign_in(self) -> SignInOptions:
        """Get what to ask a browser for to sign in by a passkey, without a name.

        The challenge counts once, for five minutes.
        """
        return await self._ask(Call(SignInOptions, "preparePasskeySignIn", "POST", "/passkey-options", key=fresh_key()))

    async def sign_in_by_passkey(
        self, credential: str, client_data: str, authenticator_data: str, signature: str, user: str, *, label: str = "device"
    ) -> SignedUp:
        """Sign in by a passkey: get a token of its player for this device.

        What a browser has answered counts once. At 50 tokens, the oldest to which the passkey led ends.
        """
        return await self._ask(
            Call(
                SignedUp,
                "signInByPasskey",
                "POST",
                "/passkey-sign-ins",
                body={
                    "credential": credential,
                    "client_data": client_data,
                    "authenticator_data": authenticator_data,
                    "signature": signature,
                    "user": user,
                    "label": label,
                },
                key=fresh_key(),
            )
        )

    async def openid(self) -> OpenId:
        """Get the provider of OpenID Connect by which players can sign in here."""
        return await self._ask(Call(OpenId, "getOpenid", "GET", "/openid"))

    async def begin_openid_sign_in(self) -> OpenIdBegun:
        """Begin to sign in.

        Send the browser to the address; it comes back to the web client's page to sign in within ten minutes. The
        provider is asked who someone is, and for nothing else: neither a name nor a mail address.
        """
        return await self._ask(Call(OpenIdBegun, "beginOpenidSignIn", "POST", "/openid/attempts", key=fresh_key()))

    async def finish_openid_sign_in(self, state: str, code: str, secret: str, *, label: str = "device") -> SignedUp:
        """Finish signing in: get a token of the player that is linked with who you are at the provider, or of a new player, a guest.

        An attempt counts once; the same request with the same key is repeatable.
        """
        return await self._ask(
            Call(
                SignedUp,
                "finishOpenidSignIn",
                "POST",
                "/openid/sign-ins",
                body={"state": state, "code": code, "secret": secret, "label": label},
                key=fresh_key(),
            )
        )

    async def openid_link(self) -> OpenIdLink:
        """Get whether you can sign in by the provider."""
        return await self._ask(Call(OpenIdLink, "getOpenidLink", "GET", "/me/openid"))

    async def finish_openid_link(self, state: str, code: str, secret: str) -> OpenIdLink:
        """Finish linking.

        The attempt must have begun with a token of the same player, and counts once.
        """
        return await self._ask(
            Call(
                OpenIdLink,
                "finishOpenidLink",
                "POST",
                "/me/openid",
                body={"state": state, "code": code, "secret": secret},
                key=fresh_key(),
            )
        )

    async def unlink_openid(self) -> None:
        """Let no one sign in as you by the provider any more.

        Tokens stay as they are.
        """
        await self._ask(Call(NoneType, "unlinkOpenid", "DELETE", "/me/openid"))

    async def begin_openid_link(self) -> OpenIdBegun:
        """Begin to link who you are at the provider with your player, to sign in by it.

        It goes on as signing in does.
        """
        return await self._ask(Call(OpenIdBegun, "beginOpenidLink", "POST", "/me/openid/attempts", key=fresh_key()))

    async def talk_phrases(self) -> TalkSheet:
        """List the ready phrases and reactions, and say whether texts may be written here."""
        return await self._ask(Call(TalkSheet, "getTalkPhrases", "GET", "/talk/phrases"))

    async def talk(self, match: str, room: str | None = None, *, after: int = 0, limit: int = 100, wait_seconds: int = 0) -> Talk:
        """Get what was said in a room of a match: at the table among its players, or in the stands among all others.

        While the match runs, you hear your own room alone; when it is over, both. Lines of players whom you have muted
        are left out.
        """
        return await self._ask(
            Call(
                Talk,
                "getTalk",
                "GET",
                "/matches/{match}/talk",
                parts={"match": match},
                parameters={"room": room, "after": after, "limit": limit, "wait": wait_seconds},
            )
        )

    async def say(
        self, match: str, *, phrase: str | None = None, reaction: str | None = None, text: str | None = None
    ) -> TalkLine:
        """Say something: at the table if you have a seat there, or one is reserved for you; else in the stands.

        Before the match, while it runs, and afterwards. A text is brought into its normal form: on one line, and
        without characters that cannot be seen or that turn the direction of writing. Programs do not talk.
        """
        return await self._ask(
            Call(
                TalkLine,
                "say",
                "POST",
                "/matches/{match}/talk",
                parts={"match": match},
                body={"phrase": phrase, "reaction": reaction, "text": text},
                key=fresh_key(),
            )
        )

    async def report_talk(self, match: str, room: str, n: int, reason: str) -> ReportReceipt:
        """Report a line to the operator, with what it says.

        A second report of the same line takes the place of your first.
        """
        return await self._ask(
            Call(
                ReportReceipt,
                "reportTalk",
                "POST",
                "/matches/{match}/talk/reports",
                parts={"match": match},
                body={"room": room, "n": n, "reason": reason},
                key=fresh_key(),
            )
        )

    async def muted(self) -> tuple[Muted, ...]:
        """List the players whose lines are left out of all talk for you."""
        return (await self._ask(Call(MutedList, "listMuted", "GET", "/me/muted"))).items

    async def mute_player(self, player: str) -> tuple[Muted, ...]:
        """Leave a player's lines out of all talk for you, earlier ones, too.

        Of more than 500, the newest are kept.
        """
        return (await self._ask(Call(MutedList, "mutePlayer", "PUT", "/me/muted/{player}", parts={"player": player}))).items

    async def unmute_player(self, player: str) -> tuple[Muted, ...]:
        """Hear a player again."""
        return (await self._ask(Call(MutedList, "unmutePlayer", "DELETE", "/me/muted/{player}", parts={"player": player}))).items

    async def reports(self, after: int = 0, *, limit: int = 50) -> tuple[Report, ...]:
        """List the lines of talk that players have reported, newest first.

        Operators only. Kept as long as talk is.
        """
        return (
            await self._ask(Call(ReportList, "listReports", "GET", "/reports", parameters={"after": after, "limit": limit}))
        ).items

    async def create_moderation_act(
        self,
        kind: str,
        reason: str,
        *,
        player: str | None = None,
        until_ms: int | None = None,
        address: bool = False,
        line: LineRef | None = None,
        report: str | None = None,
    ) -> Act:
        """Hide a line of talk, silence or suspend a player for a time, or close a report.

        Operators only. A hidden line leaves a tombstone, also for those who have read it. A suspended player is taken
        out of matches that have not begun, tournaments and quick matches; in running matches a bot plays on, as for any
        player who leaves. Until the sanction ends the player can open, join and say nothing; then it takes its seats
        back. The player sees each act with its reason, and not who did it.
        """
        return await self._ask(
            Call(
                Act,
                "createModerationAct",
                "POST",
                "/moderation/acts",
                body={
                    "kind": kind,
                    "reason": reason,
                    "player": player,
                    "until_ms": until_ms,
                    "address": address,
                    "line": line,
                    "report": report,
                },
                key=fresh_key(),
            )
        )

    async def moderation_acts(self, player: str | None = None, *, after: int = 0, limit: int = 50) -> tuple[Act, ...]:
        """List what operators have done, newest first.

        Operators only. An act is kept for 365 days after its end.
        """
        return (
            await self._ask(
                Call(
                    ActList,
                    "listModerationActs",
                    "GET",
                    "/moderation/acts",
                    parameters={"player": player, "after": after, "limit": limit},
                )
            )
        ).items

    async def lift_moderation_act(self, act: str) -> Act:
        """End a sanction before its time.

        Operators only. Hidden lines stay hidden, and closed reports closed.
        """
        return await self._ask(Call(Act, "liftModerationAct", "DELETE", "/moderation/acts/{act}", parts={"act": act}))

    async def my_moderation_acts(self) -> tuple[OwnAct, ...]:
        """List what operators have decided about you, your lines of talk and your reports, with the reason, newest first."""
        return (await self._ask(Call(OwnActList, "listMyModerationActs", "GET", "/me/moderation-acts"))).items

    async def seek_quick_match(
        self, game: str, pace: str, patience_seconds: int, *, seats: int | None = None, bot: str | None = None
    ) -> QuickPlace:
        """Seek others who want to play the same: a seat is kept for you at a table with them, or at a new one that others will find.

        Take it within 20 seconds (`takeSeat`), with a nonce that you draw once you have the commitment. When the last
        one has sat down the match begins by itself; when the first patience at the table ends, bots take the free
        seats, and it begins. To stop waiting, leave the seat. If you do not come, no seat is kept for you for 20
        seconds, and twice as long each time. After five seconds the seat may go to someone else while others wait at
        the table; the second time in a row that counts the same. Asked again for the same while you wait, it is the
        same place. One seat is kept for you at a time: if you ask for something else before you have taken it, it is
        free for others, which does not count as not coming. A seat that you have taken stays.
        """
        return await self._ask(
            Call(
                QuickPlace,
                "seekQuickMatch",
                "POST",
                "/quick-matches",
                body={"game": game, "pace": pace, "patience_seconds": patience_seconds, "seats": seats, "bot": bot},
                key=fresh_key(),
            )
        )

    async def quick_matches(self) -> tuple[QuickSeekers, ...]:
        """List what players wait for now, with how many of them, so that you can join them.

        No one is named.
        """
        return (await self._ask(Call(QuickList, "listQuickMatches", "GET", "/quick-matches"))).items

    async def vacation(self) -> Vacation:
        """Get whether you are on vacation, and how many days are left to you: of 30 within 365 days."""
        return await self._ask(Call(Vacation, "getVacation", "GET", "/me/vacation"))

    async def begin_vacation(self, until_ms: int) -> Vacation:
        """Be on vacation from now on, or change until when you are.

        In matches with a day or more for each decision, the time of your vacation does not count for yours, and the
        others see that you are away. You have 30 days within 365; a day that has begun counts as a whole.
        """
        return await self._ask(Call(Vacation, "beginVacation", "PUT", "/me/vacation", body={"until_ms": until_ms}))

    async def end_vacation(self) -> Vacation:
        """Be back from vacation.

        Within the hour your matches go on as before; what was left of the time for a decision is left.
        """
        return await self._ask(Call(Vacation, "endVacation", "DELETE", "/me/vacation"))

    async def vacations(self, match: str) -> tuple[SeatAway, ...]:
        """List the seats of a running match whose players are on vacation; of a match that does not wait for them, none."""
        return (
            await self._ask(Call(AwayList, "listVacations", "GET", "/matches/{match}/vacations", parts={"match": match}))
        ).items

    def _open_tournament(self, **wish: Plain) -> Call[TournamentSheet]:
        """Open a tournament.

        Share its link: who has the id can see it and join, until you start it or its time has come. Fields: `name`,
        `game`, `seats`, `kind`, `options`, `clock`, `spectators`, `visibility`, `rated`, `rounds`, `places`, `bots`,
        `fill`, `starts_ms`, `joins`.
        """
        return Call(TournamentSheet, "openTournament", "POST", "/tournaments", body=wish, key=fresh_key())

    async def tournaments(self, after: str | None = None, *, limit: int = 20) -> TournamentPage:
        """List tournaments with visibility `listed`, newest first: those that are open, that are played, and that are over."""
        return await self._ask(
            Call(TournamentPage, "listTournaments", "GET", "/tournaments", parameters={"after": after, "limit": limit})
        )

    async def my_tournaments(self) -> tuple[Tournament, ...]:
        """List the tournaments that you have opened or take part in, newest first."""
        return (await self._ask(Call(TournamentList, "listMyTournaments", "GET", "/me/tournaments"))).items

    def _get_tournament(self, tournament: str) -> Call[TournamentSheet]:
        """Get a tournament: its facts, its standings, and its newest round.

        Who has its id may see it.
        """
        return Call(TournamentSheet, "getTournament", "GET", "/tournaments/{tournament}", parts={"tournament": tournament})

    async def cancel_tournament(self, tournament: str) -> TournamentSheet:
        """Call off a tournament that you have opened.

        Matches that run go on, and count for nothing here.
        """
        return await self._ask(
            Call(TournamentSheet, "cancelTournament", "DELETE", "/tournaments/{tournament}", parts={"tournament": tournament})
        )

    async def tournament_round(self, tournament: str, number: int) -> TournamentRound:
        """Get a round that was drawn: its tables with their matches and results, and who rests."""
        return await self._ask(
            Call(
                TournamentRound,
                "getTournamentRound",
                "GET",
                "/tournaments/{tournament}/rounds/{number}",
                parts={"tournament": tournament, "number": number},
            )
        )

    def _join_tournament(self, tournament: str, *, nonce: str = "") -> Call[TournamentSheet]:
        """Take part in a tournament that has not begun.

        In each round your seat is taken for you, and the match begins at once. Who does not come is played for as in
        any match. You meet whom the draw gives you, also someone whom you have blocked.
        """
        return Call(
            TournamentSheet,
            "joinTournament",
            "PUT",
            "/tournaments/{tournament}/entries/me",
            parts={"tournament": tournament},
            body={"nonce": nonce},
        )

    async def leave_tournament(self, tournament: str) -> TournamentSheet:
        """Take part no longer: before the start your place is free again; after it you play no further rounds, and stay listed.

        A match that runs is not left by it.
        """
        return await self._ask(
            Call(
                TournamentSheet,
                "leaveTournament",
                "DELETE",
                "/tournaments/{tournament}/entries/me",
                parts={"tournament": tournament},
            )
        )

    async def start_tournament(self, tournament: str) -> TournamentSheet:
        """Start a tournament that you have opened.

        Its first round is drawn within seconds.
        """
        return await self._ask(
            Call(
                TournamentSheet,
                "startTournament",
                "POST",
                "/tournaments/{tournament}/start",
                parts={"tournament": tournament},
                key=fresh_key(),
            )
        )

    async def notices(self) -> Notices:
        """Get what you are notified about while no page of yours is open, by which ways, and which ways there are."""
        return await self._ask(Call(Notices, "getNotices", "GET", "/me/notices"))

    async def choose_notices(self, occasions: Iterable[str]) -> Notices:
        """Choose what you are notified about.

        At first it is everything, as soon as there is a way. There is one notice for each decision and way, some
        seconds after it was opened, and none if you had a stream, a long poll or a socket open since, or if there is no
        time left to answer.
        """
        return await self._ask(Call(Notices, "chooseNotices", "PUT", "/me/notices", body={"occasions": list(occasions)}))

    async def set_notice_mail(self, address: str, language: str) -> Notices:
        """Give an address for mail, in place of the one before.

        It gets a code, and nothing else until you send that code back. An address gets at most three codes a day, and a
        player five an hour.
        """
        return await self._ask(
            Call(Notices, "setNoticeMail", "PUT", "/me/notices/mail", body={"address": address, "language": language})
        )

    async def delete_notice_mail(self) -> None:
        """Delete your address: no more mail.

        Every mail also has a link that does this without signing in.
        """
        await self._ask(Call(NoneType, "deleteNoticeMail", "DELETE", "/me/notices/mail"))

    async def confirm_notice_mail(self, code: str) -> Notices:
        """Confirm your address with the code that was sent there.

        It is valid for an hour, and for five attempts.
        """
        return await self._ask(Call(Notices, "confirmNoticeMail", "POST", "/me/notices/mail/confirmation", body={"code": code}))

    async def add_notice_browser(self, endpoint: str, keys: BrowserKeys, language: str) -> NoticeBrowser:
        """Get notices in a browser that has subscribed to push messages with this deployment's key.

        A subscription that is known already, by its address, keeps its id. One that ends is removed by itself.
        """
        return await self._ask(
            Call(
                NoticeBrowser,
                "addNoticeBrowser",
                "POST",
                "/me/notices/push",
                body={"endpoint": endpoint, "keys": keys, "language": language},
            )
        )

    async def remove_notice_browser(self, browser: str) -> None:
        """Get no further notices in a browser."""
        await self._ask(Call(NoneType, "removeNoticeBrowser", "DELETE", "/me/notices/push/{browser}", parts={"browser": browser}))

    async def push_key(self) -> PushKey:
        """Get the public key with which browsers subscribe to push messages of this deployment (VAPID, RFC 8292)."""
        return await self._ask(Call(PushKey, "getPushKey", "GET", "/notices/push-key"))

    async def end_application(self, application: str) -> None:
        """End an application of others, with all that players have allowed it.

        Operators only. Its tokens end at once. Nothing keeps its makers from registering it again; players are asked
        again then.
        """
        await self._ask(
            Call(
                NoneType,
                "endApplication",
                "DELETE",
                "/oauth/applications/{application}",
                parts={"application": application},
                key=fresh_key(),
            )
        )

    async def applications(self) -> tuple[Application, ...]:
        """List the applications of others that you have allowed to act for you, newest first."""
        return (await self._ask(Call(ApplicationList, "listApplications", "GET", "/me/applications"))).items

    async def revoke_application(self, grant: str) -> None:
        """Allow an application of others nothing any more.

        Its tokens end. Repeated with the same key, it says the same.
        """
        await self._ask(
            Call(NoneType, "revokeApplication", "DELETE", "/me/applications/{grant}", parts={"grant": grant}, key=fresh_key())
        )
