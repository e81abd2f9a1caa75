"""The examples of the contract: a real run with chance, ids and time fixed. `python -m tools.generate_examples` writes them."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tafelrunde.api.app import running
from tafelrunde.domain.game import GameId, Seat
from tafelrunde.domain.match import MatchId, PlayerId
from tafelrunde.domain.registry import GAMES
from tafelrunde.service.days import day_of
from tafelrunde.service.features.coaching.coach import Coach
from tafelrunde.service.features.openid.service import OpenId
from tafelrunde.service.features.puzzles.feature import STORE
from tafelrunde.service.features.puzzles.port import Candidate
from tafelrunde.service.features.puzzles.service import Puzzles
from tafelrunde.service.features.ratings.duty import RatingProjector
from tafelrunde.service.features.tournaments.duty import Director
from tafelrunde.service.features.transparency.log import TransparencyLog
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.players.programs import text_of
from tafelrunde.service.ports.players import Statement
from tafelrunde.service.signing.notes import Kind, PrivateKey
from tests.support.authenticator import Authenticator
from tests.support.openid import Stand, proof_of
from tests.support.paths import ROOT
from tests.support.table import Table, opened
from tests.support.ways import WAYS
from tools.commands import alone
from tools.example_messages import inbox, webhooks
from tools.example_run import Recorder, without_chance

HOST = [("Host", "cards.example")]
FILE = ROOT / "api" / "contract" / "examples.json"

FIRST_LINES = slice(10)
LAST_LINES = slice(-3, None)
"""Which lines of a long text are an example of it. Most of a record's first line are shapes, which are components here."""
OUTSIDE = {"method-not-allowed", "lifespan-not-run"}
"""Problems that belong to no operation."""


async def examples() -> dict[str, Any]:
    """Return requests and answers of a run, by operation."""
    table = Table(games=GAMES, stores=msgspec.structs.replace(memory_stores(), id_key=bytes(32)))
    with without_chance():
        table.app.state.running.id = "example"
        async with running(table.app):
            recorder = Recorder(table)
            await _run(recorder)
        return {**recorder.found, "problems": {name: await _problem(name) for name in WAYS if name not in OUTSIDE}}


async def _problem(name: str) -> Any:
    """Return a problem as a client receives it."""
    async with opened() as table:
        return (await WAYS[name](table)).json


async def _run(run: Recorder) -> None:
    anna = await run.ask("createPlayer", "POST", "/players", None, {"name": "Anna"})
    bert = await run.ask("createPlayer", "POST", "/players", None, {"name": "Bert"})
    one, other = anna["text"], bert["text"]
    await _profile(run, anna["player"]["id"], one)
    wish = {"game": "coup", "seats": 3, "options": {"first_seat": 0}, "spectators": "public", "seat": 0}
    match = (await run.ask("openMatch", "POST", "/matches", one, {**wish, "bots": [{"seat": 2, "bot": "honest"}]}))["match"]
    here = f"/matches/{match}"
    await run.ask("clearSeat", "DELETE", f"{here}/seats/2", one)
    await run.ask("seatBot", "PUT", f"{here}/seats/2/bot", one, {"bot": "random"})
    await run.ask("takeSeat", "POST", f"{here}/seats", other, {"seat": None, "nonce": "a-text-of-my-own"})
    await run.ask("passHost", "PUT", f"{here}/host", one, {"player": bert["player"]["id"]})
    await run.ask("leaveSeat", "DELETE", f"{here}/seats/me", other)
    await run.table.post(f"{here}/seats", other)
    await run.ask("startMatch", "POST", f"{here}/start", one)
    await run.ask("createSeatToken", "POST", f"{here}/seats/0/tokens", one)
    await _play(run, here, one, other)
    await run.ask("getOembed", "GET", f"/oembed?url=https://cards.example/match/{match}&maxwidth=600", headers=HOST)
    await run.table.project(match)
    await run.ask("listMatches", "GET", "/matches?game=coup&status=running")
    await run.ask("listMyMatches", "GET", "/me/matches", one)
    await run.ask("listMyTurns", "GET", "/me/turns", other)
    await run.ask("getMatch", "GET", here, one)
    await run.ask("abortMatch", "POST", f"{here}/abort", one)
    await _brief(run, one)
    await _again(run, one, other)
    await _embed(run)
    await webhooks(run)
    await inbox(run)
    await _records(run)
    await _lesson(run, one)
    await run.ask("openDaily", "POST", "/daily/matchmaster", one)
    await run.ask("getDaily", "GET", "/daily/matchmaster", one)
    await run.ask("getToday", "GET", "/daily", one)
    await run.ask("getDayProof", "GET", f"/log/days/{day_of(run.table.now_ms)}")
    await run.ask("getDailyRanking", "GET", "/daily/matchmaster/ranking")
    await _talk(run)
    await _quick(run, one)
    await _tournament(run, one)
    await _application(run, one)


async def _lesson(run: Recorder, one: str) -> None:
    await run.ask("getLesson", "GET", "/games/matchmaster/lesson")
    run.shorten("getLesson", "lines")
    await run.ask("openLesson", "POST", "/games/matchmaster/lesson", one)


async def _quick(run: Recorder, one: str) -> None:
    """A match that is sought; then some days off, and another match that waits meanwhile."""
    await run.ask("seekQuickMatch", "POST", "/quick-matches", one, {"game": "coup", "pace": "quick", "patience_seconds": 60})
    await run.ask("listQuickMatches", "GET", "/quick-matches")
    other = (await run.table.player("Cora"))[1]
    clock = {"turn_seconds": 86_400, "reaction_seconds": 86_400}
    match = await run.table.begin(one, other, game="coup", clock=clock, spectators="public")
    await run.ask("beginVacation", "PUT", "/me/vacation", one, {"until_ms": run.table.now_ms + 3 * 86_400_000})
    await run.ask("getVacation", "GET", "/me/vacation", one)
    await run.ask("listVacations", "GET", f"/matches/{match}/vacations", other)
    await run.ask("endVacation", "DELETE", "/me/vacation", one)


async def _brief(run: Recorder, one: str) -> None:
    """A record short enough to read: of a match that never started."""
    match = (await run.table.post("/matches", one, {"game": "matchmaster", "seats": 2})).json["match"]
    await run.table.post(f"/matches/{match}/abort", one)
    lines = [("Accept", "application/x-ndjson")]  # as JSON it contains schemas, whose references look like those of the contract
    await run.ask("getRecord", "GET", f"/matches/{match}/record", one, headers=lines)
    run.keep_lines("getRecord", LAST_LINES, "The last lines.")


async def _profile(run: Recorder, player: str, token: str) -> None:
    await run.ask("getLiveness", "GET", "/health/live")
    await run.ask("getReadiness", "GET", "/health/ready")
    await run.ask("listGames", "GET", "/games")
    await run.ask("getRules", "GET", "/games/matchmaster/rules")
    run.keep_lines("getRules", FIRST_LINES, "The first lines.")
    await run.ask("getPlayer", "GET", f"/players/{player}")
    await run.ask("getMe", "GET", "/me", token)
    await _program(run)
    await run.ask("renameMe", "PATCH", "/me", token, {"name": "Anna B."})
    await run.ask("createToken", "POST", "/me/tokens", token, {"label": "my page", "scopes": ["read"]})
    await run.ask("listTokens", "GET", "/me/tokens", token)
    await _people(run, token)


async def _people(run: Recorder, token: str) -> None:
    """What players do with each other, and a second device."""
    avatar = {"figure": "owl", "colour": "teal"}
    await run.ask("changeProfile", "PATCH", "/me/profile", token, {"avatar": avatar, "languages": ["de", "en"]})
    other, guest = await run.table.player("Greta")
    await run.ask("followPlayer", "PUT", f"/me/followed/{other}", token)
    await run.ask("listFollowed", "GET", "/me/followed", token)
    await run.ask("unfollowPlayer", "DELETE", f"/me/followed/{other}", token)
    match = (await run.table.post("/matches", token, {"game": "coup", "seats": 3})).json["match"]
    here = f"/matches/{match}/invitations"
    await run.ask("invitePlayer", "POST", here, token, {"player": other})
    await run.ask("listInvitations", "GET", "/me/invitations", guest)
    await run.ask("declineInvitation", "DELETE", f"/me/invitations/{match}", guest)
    await run.ask("listMatchInvitations", "GET", here, token)
    await run.ask("withdrawInvitation", "DELETE", f"{here}/{other}", token)
    await run.table.post(f"/matches/{match}/abort", token)
    await run.ask("blockPlayer", "PUT", f"/me/blocked/{other}", token)
    await run.ask("listBlocked", "GET", "/me/blocked", token)
    await run.ask("unblockPlayer", "DELETE", f"/me/blocked/{other}", token)
    code = (await run.ask("createDeviceCode", "POST", "/me/device-codes", token, headers=HOST))["code"]
    await run.ask("redeemDeviceCode", "POST", "/device-codes", None, {"code": code, "label": "phone"})
    await run.ask("dropDeviceCodes", "DELETE", "/me/device-codes", token)
    await _passkeys(run, token)
    await run.ask("exportMe", "GET", "/me/export", token)


async def _passkeys(run: Recorder, token: str) -> None:
    """A passkey of a phone, by which its player signs in."""
    key = ec.derive_private_key(7, ec.SECP256R1())
    phone = Authenticator("http://cards.example", credential=b"example credential", key=key)
    options = await run.ask("preparePasskey", "POST", "/me/passkey-options", token, headers=HOST)
    wish = {**phone.make(options), "label": "Phone"}
    passkey = (await run.ask("addPasskey", "POST", "/me/passkeys", token, wish, headers=HOST))["id"]
    options = await run.ask("preparePasskeySignIn", "POST", "/passkey-options", headers=HOST)
    body = {**phone.sign(options), "label": "laptop"}
    await run.ask("signInByPasskey", "POST", "/passkey-sign-ins", None, body, headers=HOST)
    await run.ask("renamePasskey", "PATCH", f"/me/passkeys/{passkey}", token, {"label": "My phone"})
    await run.ask("listPasskeys", "GET", "/me/passkeys", token)
    await run.ask("removePasskey", "DELETE", f"/me/passkeys/{passkey}", token)


async def _application(run: Recorder, token: str) -> None:
    """An application of others that a player allows to act for it."""
    back, verifier = "https://clock.example/back", "a-long-text-that-the-application-keeps-to-itself"
    wish = {"redirect_uris": [back], "client_name": "Chess clock"}
    made = (await run.ask("registerApplication", "POST", "/oauth/applications", None, wish))["client_id"]
    wrong = await run.table.post("/oauth/applications", None, {"redirect_uris": ["http://clock.example/"]})
    run.found.setdefault("registerApplication", {})["refused"] = wrong.json
    asked = {"response_type": "code", "client_id": made, "redirect_uri": back, "scope": "read play", "state": "af0ifjsldkj"}
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    asked |= {"code_challenge": challenge, "code_challenge_method": "S256"}
    await run.ask("getAuthorization", "GET", f"/oauth/authorization?{urlencode(asked)}", headers=HOST)
    wish = {"allowed": True, **asked}
    decided = await run.ask("decideAuthorization", "POST", "/oauth/authorization", token, wish, headers=HOST)
    [code] = parse_qs(urlsplit(decided["redirect"]).query)["code"]
    form = {"grant_type": "authorization_code", "client_id": made, "code": code, "redirect_uri": back}
    shown = {**form, "code_verifier": verifier}
    tokens = await run.fill_in("exchangeToken", "/oauth/token", form, **shown)
    await run.ask("listApplications", "GET", "/me/applications", token)
    await run.fill_in("endAuthorization", "/oauth/revocation", {}, token=tokens["refresh_token"], client_id=made)
    decided = (await run.table.post("/oauth/authorization", token, wish)).json
    [shown["code"]] = parse_qs(urlsplit(decided["redirect"]).query)["code"]
    kind = [("Content-Type", "application/x-www-form-urlencoded")]
    await run.table.ask("POST", "/api/v1/oauth/token", raw=urlencode(shown).encode(), headers=kind)
    [grant] = [each["id"] for each in (await run.table.get("/me/applications", token)).json["items"]]
    await run.ask("revokeApplication", "DELETE", f"/me/applications/{grant}", token)
    await run.ask("endApplication", "DELETE", f"/oauth/applications/{made}", await run.table.operator())


async def _witness(run: Recorder) -> None:
    """A witness who signs the newest checkpoint."""
    witness = PrivateKey("witness.example.org", bytes(range(32)), Kind.COSIGNATURE)
    _, note = await run.table.application.get(TransparencyLog).sign_checkpoint()
    line = witness.cosign(note.text, run.table.now_ms // 1000).line
    content = {"witness": witness.public.text, "note": f"{note}{line}\n"}
    await run.ask("addCosignature", "POST", "/log/cosignatures", None, content)
    await run.ask("listCosignatures", "GET", "/log/cosignatures")


async def _program(run: Recorder) -> None:
    """A program whose operator signs who it is."""
    made = (await run.table.post("/players", content={"name": "Deep Coup", "bot": True})).json
    player = PlayerId(made["player"]["id"])
    token = made["text"]
    own = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    stated = Statement(
        key=own.public_key().public_bytes_raw().hex(),
        previous=None,
        version="1.4.2",
        source="https://example.org/deep-coup",
        signed_ms=run.table.now_ms,
        signature="",
        endorsement=None,
    )
    signed = msgspec.structs.replace(stated, signature=own.sign(text_of(player, stated)).hex())
    await run.ask("declareProgram", "PUT", "/me/program", token, msgspec.to_builtins(signed))
    await run.ask("getProgram", "GET", f"/players/{player}/program")
    await run.ask("revokeProgram", "DELETE", "/me/program", token)


async def _play(run: Recorder, here: str, one: str, other: str) -> None:
    await run.ask("giveCommand", "POST", f"{here}/commands", one, {"decision": 1, "command": {"type": "coup.claim-tax"}})
    await run.ask("getView", "GET", f"{here}/view", other)
    after = (await run.table.get(f"{here}/feed", other)).json["items"][-3]["cursor"]
    await run.ask("getFeed", "GET", f"{here}/feed?after={after}", other)
    await run.ask("getViews", "GET", f"{here}/views?after={after}&limit=1", other)
    await run.listen("streamFeed", f"{here}/stream?after={after}", other)
    [deal] = (await run.ask("listProofs", "GET", f"{here}/proofs", other))["items"]
    await run.ask("getProof", "GET", f"{here}/proofs/{deal['deal']}/{deal['cards'][0]['index']}", other)


async def _talk(run: Recorder) -> None:
    """What two players say at their table, one of whom would rather not hear the other."""
    one, other = [(await run.table.player(name))[1] for name in ("Gina", "Hugo")]
    here = f"/matches/{await run.table.begin(one, other, game='coup', options={'first_seat': 0})}"
    await run.ask("getTalkPhrases", "GET", "/talk/phrases")
    run.shorten("getTalkPhrases", "phrases", "reactions")
    await run.ask("say", "POST", f"{here}/talk", one, {"phrase": "hello"})
    line = (await run.table.post(f"{here}/talk", other, {"text": "Shall we play fast?"})).json
    await run.ask("getTalk", "GET", f"{here}/talk?after=1", one)
    await run.listen("streamTalk", f"{here}/talk/stream?after=1", one)
    await run.ask("reportTalk", "POST", f"{here}/talk/reports", one, {"room": "table", "n": line["n"], "reason": "spam"})
    admin = await run.table.operator()
    await run.ask("listReports", "GET", "/reports", admin)
    author = line["author"]["player"]
    await run.ask("mutePlayer", "PUT", f"/me/muted/{author}", one)
    await run.ask("listMuted", "GET", "/me/muted", one)
    await run.ask("unmutePlayer", "DELETE", f"/me/muted/{author}", one)
    report = (await run.table.get("/reports", admin)).json["items"][0]["id"]
    await _moderation(run, admin, here.removeprefix("/matches/"), report, (author, other))


async def _moderation(run: Recorder, admin: str, match: str, report: str, player: tuple[str, str]) -> None:
    """What an operator does about a line of talk and its author, and what the author sees of it."""
    author, token = player
    week_ms = run.table.now_ms + 7 * 86_400_000
    acts = "/moderation/acts"
    why = {"reason": "You pressed another player to hurry."}
    await run.ask("createModerationAct", "POST", acts, admin, {"kind": "close-report", "report": report, "reason": "Agreed."})
    await run.table.post(acts, admin, {"kind": "hide-line", "line": {"match": match, "room": "table", "n": 2}, **why})
    silence = (await run.table.post(acts, admin, {"kind": "silence", "player": author, "until_ms": week_ms, **why})).json
    await run.table.post(f"/matches/{match}/talk", token, {"phrase": "hello"})
    await run.ask("liftModerationAct", "DELETE", f"{acts}/{silence['id']}", admin)
    await run.table.post(acts, admin, {"kind": "suspend", "player": author, "until_ms": week_ms, **why})
    await run.table.post(f"/matches/{match}/talk", token, {"phrase": "hello"})
    await run.table.post(acts, admin, {"kind": "suspend", **why})
    await run.ask("listModerationActs", "GET", acts, admin)
    await run.ask("listMyModerationActs", "GET", "/me/moderation-acts", token)


async def _again(run: Recorder, one: str, other: str) -> None:
    match = await run.table.begin(one, other, game="coup", options={"first_seat": 0}, spectators="public")
    await run.table.finish(match, one, other)
    await run.table.application.finalizer.openings()
    await run.table.application.finalizer.portion()
    await run.ask("getVerification", "GET", f"/matches/{match}/verification", one)
    practice = (await run.ask("openWhatIf", "POST", f"/matches/{match}/what-if", other, {"decision": 1, "seat": 0}))["match"]
    await run.ask("getHint", "GET", f"/matches/{practice}/hint", other)
    await run.table.post(f"/matches/{match}/coaching", one)
    while await run.table.application.get(Coach).work(MatchId(match)):
        pass
    await _puzzle(run, MatchId(match), one)
    await run.ask("askForCoaching", "POST", f"/matches/{match}/coaching", one)
    await run.ask("getCoaching", "GET", f"/matches/{match}/coaching", one)
    run.shorten("getCoaching", "line", "puzzles", shown=1)
    await run.ask("agreeRematch", "POST", f"/matches/{match}/rematch", one)
    await run.ask("getLogProofs", "GET", f"/log/proofs/{match}", one)
    await run.ask("getOpeningProof", "GET", f"/log/openings/{match}", one)
    await run.table.application.get(RatingProjector).catch_up()
    await run.ask("getLeaderboard", "GET", "/leaderboards/coup")
    await run.table.project(match)
    player = (await run.table.get("/me", one)).json["id"]
    await run.ask("getRatingHistory", "GET", f"/players/{player}/ratings")
    await run.ask("listPlayerMatches", "GET", f"/players/{player}/matches?limit=1")
    await run.ask("listRecentPlayers", "GET", "/me/recent-players", one)
    boss = (await run.table.player("Rita"))[0]
    admin = (await run.table.application.accounts.issue(PlayerId(boss), "operator", ["read", "admin"], None))[1]
    ranks = [{"seat": 0, "rank": 2}, {"seat": 1, "rank": 1}]
    wish = {"placings": ranks, "reason": "The other seat was played by two people."}
    await run.ask("adjudicateMatch", "POST", f"/matches/{match}/adjudicate", admin, wish)
    await run.ask("voidMatch", "POST", f"/matches/{match}/void", admin, {"reason": "Nobody can say what happened."})
    await run.table.application.finalizer.portion()
    await run.ask("getCheckpoint", "GET", "/log/checkpoint")
    await run.ask("getSignedCheckpoint", "GET", "/log/signed-checkpoint")
    await run.ask("getSigningKeys", "GET", "/log/keys")
    await _witness(run)
    await run.ask("getLogConsistency", "GET", "/log/consistency?from=1")
    await run.ask("listLogLeaves", "GET", "/log/leaves")
    await run.ask("listLogEntries", "GET", "/log/entries")
    run.shorten("listLogEntries", "entries")
    await run.ask("deleteMe", "DELETE", "/me", other)


async def _puzzle(run: Recorder, match: MatchId, token: str) -> None:
    """A puzzle from a decision of a match that the coach has gone through."""
    application = run.table.application
    found = await application.get(Coach).find(match, Seat(0))
    assert found is not None
    chosen = Candidate(match, Seat(0), found.costly[0].version)
    await STORE.of(application.stores).choose(GameId("coup"), application.get(Puzzles).today(), chosen)
    sheet = await run.ask("getPuzzle", "GET", "/puzzles/today?game=coup", token)
    answer = {"game": "coup", "day": sheet["day"], "command": sheet["legal"][0]}
    await run.ask("answerPuzzle", "POST", "/puzzles/today", token, answer)


async def _embed(run: Recorder) -> None:
    app = (await run.table.player("Another app"))[0]
    key = (await run.table.application.accounts.issue(PlayerId(app), "key", ["read", "play", "create", "embed"], None))[1]
    wish = {"game": "coup", "seats": 2, "seat": None}
    match = (await run.table.post("/matches", key, wish)).json["match"]
    await run.ask("seatUser", "POST", f"/matches/{match}/users", key, {"user": "user-4711", "name": "Cora"})


async def _tournament(run: Recorder, one: str) -> None:
    other = (await run.table.player("Greta"))[1]
    wish = {"name": "Winter cup", "game": "coup", "seats": 2, "kind": "swiss", "bots": ["honest"], "fill": "random"}
    made = await run.ask("openTournament", "POST", "/tournaments", one, {**wish, "rounds": 2, "visibility": "listed"})
    here = f"/tournaments/{made['facts']['tournament']}"
    await run.ask("joinTournament", "PUT", f"{here}/entries/me", other, {"nonce": "a-text-of-my-own"})
    await run.ask("startTournament", "POST", f"{here}/start", one)
    await run.table.application.get(Director).step()
    await run.ask("getTournament", "GET", here, one)
    await run.ask("getTournamentRound", "GET", f"{here}/rounds/1")
    await run.ask("leaveTournament", "DELETE", f"{here}/entries/me", other)
    await run.ask("listTournaments", "GET", "/tournaments")
    await run.ask("listMyTournaments", "GET", "/me/tournaments", one)
    await run.ask("cancelTournament", "DELETE", here, one)


async def _openid(run: Recorder) -> None:
    """A player who links who it is at a provider, and then signs in by it."""
    openid = run.table.application.get(OpenId)
    openid.provider = Stand()
    _, token = await run.table.player("Ida")
    await run.ask("getOpenid", "GET", "/openid")
    begun = await run.ask("beginOpenidLink", "POST", "/me/openid/attempts", token)
    await run.ask("finishOpenidLink", "POST", "/me/openid", token, proof_of(begun))
    await run.ask("getOpenidLink", "GET", "/me/openid", token)
    begun = await run.ask("beginOpenidSignIn", "POST", "/openid/attempts")
    await run.ask("finishOpenidSignIn", "POST", "/openid/sign-ins", None, {**proof_of(begun), "label": "laptop"})
    await run.ask("unlinkOpenid", "DELETE", "/me/openid", token)
    openid.provider = None


async def _records(run: Recorder) -> None:
    await _openid(run)
    token = (await run.table.player("Frida"))[1]
    match = await run.table.open(token, game="matchmaster")
    await run.table.post(f"/matches/{match}/abort", token)
    await run.table.project(match)
    await run.ask("listMyRecords", "GET", "/me/records", token)
    run.keep_lines("listMyRecords", LAST_LINES, "The last lines.")
    await run.ask("listRecords", "GET", "/records?game=mondkrone")


def written(found: dict[str, Any]) -> str:
    """Return the examples as they are stored."""
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    alone(__doc__)
    FILE.write_text(written(asyncio.run(examples())), encoding="utf-8")
