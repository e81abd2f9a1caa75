"""The problem types of the core: what each says in both languages, its status, and what a client can do about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Kind(NamedTuple):
    """A problem type: its status, its text in both languages, and what a client can do about it."""

    status: int
    de: str
    en: str
    advice: str


KINDS: Mapping[str, Kind] = {
    "invalid-request": Kind(
        400,
        "Die Anfrage passt nicht zur Beschreibung der Schnittstelle.",
        "The request does not match the API schema.",
        "`field` points to the first error (a JSON pointer or the name of a parameter), and `detail` says what is wrong.",
    ),
    "idempotency-key-missing": Kind(
        400,
        "Der Header Idempotency-Key fehlt.",
        "The Idempotency-Key header is missing.",
        "Send a new random key with every new request, and the same key when you retry one.",
    ),
    "unauthenticated": Kind(
        401,
        "Es fehlt ein gültiges Token.",
        "A valid token is required.",
        "Send `Authorization: Bearer <token>`. Anyone can get a token from `POST /players`.",
    ),
    "scope-missing": Kind(
        403,
        "Das Token erlaubt das nicht.",
        "The token does not allow this.",
        "Use a token with the scope that the operation requires.",
    ),
    "suspended": Kind(
        403,
        "Du bist gesperrt.",
        "You are suspended.",
        "`arguments` say until when (`until_ms`), and the reason. Until then no seat can be taken and nothing can be opened, "
        "joined or said; a bot plays on in running matches, in which the player takes its seat back afterwards.",
    ),
    "silenced": Kind(
        403,
        "Du darfst gerade nichts schreiben.",
        "You may not write at the moment.",
        "`arguments` say until when (`until_ms`), and the reason. Everything else remains possible.",
    ),
    "spectators-off": Kind(
        403,
        "Bei dieser Partie darf niemand zusehen.",
        "Spectators are not allowed in this match.",
        "Only its players can see it.",
    ),
    "seat-left": Kind(
        403,
        "Du sitzt nicht mehr auf diesem Platz.",
        "The seat is no longer yours.",
        "Retry the request: you will then get the view of a spectator.",
    ),
    "not-found": Kind(
        404,
        "Hier ist nichts.",
        "Not found.",
        "It does not exist, or you may not see it. Both cases get the same response.",
    ),
    "method-not-allowed": Kind(
        405,
        "Diese Methode gibt es hier nicht.",
        "This method is not supported here.",
        "The Allow header lists the methods that do.",
    ),
    "refused": Kind(
        409,
        "Die Regeln erlauben das jetzt nicht.",
        "The rules do not allow this right now.",
        "`code` and `message` give the reason, and `rule` names the section of the rules. Nothing has changed.",
    ),
    "not-over": Kind(
        409,
        "Die Partie ist noch nicht vorbei.",
        "The match is not over yet.",
        "Hidden cards are revealed once it is over or aborted. Try again then.",
    ),
    "decision-closed": Kind(
        409,
        "Diese Frage ist nicht mehr offen.",
        "This decision is no longer open.",
        "`current` is the decision now open to you, if any. Fetch the view and answer that one.",
    ),
    "cursor-unknown": Kind(
        409,
        "Diese Stelle gehört nicht zu diesem Verlauf.",
        "This cursor does not belong to this feed.",
        "It belongs to another feed or list, or to history that the server has lost. Discard your copy and start over.",
    ),
    "too-many-tokens": Kind(
        409,
        "Du hast schon so viele Token, wie erlaubt sind.",
        "You already have the maximum number of tokens.",
        "Revoke one you no longer use.",
    ),
    "too-many-seats": Kind(
        409,
        "Du sitzt schon an so vielen offenen Tischen, wie erlaubt sind.",
        "You already have the maximum number of seats in open matches.",
        "`detail` gives the limit. Leave a match that has not started, or wait until one starts.",
    ),
    "statement-refused": Kind(
        409,
        "Diese Angabe über das Programm gilt nicht.",
        "This statement about the program is not valid.",
        "`detail` says why. What was stated before still holds.",
    ),
    "too-large": Kind(
        413,
        "Der Inhalt ist zu groß.",
        "The body is too large.",
        "The limit is 64 KiB.",
    ),
    "unsupported-media-type": Kind(
        415,
        "Der Inhalt muss application/json sein.",
        "The body must be application/json.",
        "Send `Content-Type: application/json`.",
    ),
    "key-reused": Kind(
        422,
        "Dieser Idempotency-Key gehört zu einer anderen Anfrage.",
        "This Idempotency-Key was already used for another request.",
        "Send a new key with every new request.",
    ),
    "nonce-with-opening": Kind(
        422,
        "Eine Nonce, die mit der Eröffnung kommt, schützt das Geben nicht.",
        "A nonce that comes with the opening does not protect the deal.",
        "The server knows it before it chooses its secret. Open the match with `seat` null, keep the commitment, then take a "
        "seat with a nonce that you draw now, and start. `nonce_with_opening` true sends it all the same.",
    ),
    "invalid-options": Kind(
        422,
        "Diese Spieleinstellungen gibt es nicht.",
        "The game does not offer these options.",
        "`field` points to the first invalid value, and `detail` says what is wrong with it.",
    ),
    "invalid-name": Kind(
        422,
        "Dieser Name ist nicht erlaubt.",
        "This name is not allowed.",
        "A name has 1 to 40 visible characters, is no wider than 40 letters, and has no leading or trailing space. Names that "
        "look like those of the service or of its staff are reserved.",
    ),
    "ends-too-soon": Kind(
        422,
        "Dieses Token würde zu bald ablaufen.",
        "The token would expire too soon.",
        "`expires_ms` must be at least a minute from now, in milliseconds since 1970.",
    ),
    "too-many-requests": Kind(
        429,
        "Das sind zu viele Anfragen.",
        "Too many requests.",
        "Retry after the time in Retry-After, with the same Idempotency-Key. RateLimit-Policy gives the limit.",
    ),
    "too-many-bot-matches": Kind(
        429,
        "Es laufen schon so viele Partien ohne Menschen, wie erlaubt sind.",
        "The maximum number of matches without players is already running.",
        "`detail` gives the limit, per host or per address. Retry with the same Idempotency-Key once one is over.",
    ),
    "too-many-streams": Kind(
        429,
        "Du oder deine Adresse hat schon so viele offene Verbindungen, wie erlaubt sind.",
        "You, or your address, already have the maximum number of open streams and long polls.",
        "Close one you no longer use, or poll the feed.",
    ),
    "headers-too-large": Kind(
        431,
        "Die Header sind zu groß.",
        "The headers are too large.",
        "The limit is 16 KiB for all names and values together, and 100 headers.",
    ),
    "internal": Kind(
        500,
        "Im Dienst ist ein Fehler aufgetreten.",
        "The service failed to process the request.",
        "Retry with the same Idempotency-Key: nothing happens twice.",
    ),
    "format-unknown": Kind(
        501,
        "In diesem Format gibt es das nicht.",
        "This format is not available.",
        "Request JSON.",
    ),
    "unavailable": Kind(
        503,
        "Der Dienst ist gerade nicht erreichbar.",
        "The service is temporarily unavailable.",
        "Retry after the time in Retry-After, with the same Idempotency-Key: nothing happens twice.",
    ),
    "lifespan-not-run": Kind(
        503,
        "Der Dienst ist in ein anderes Programm eingebaut, das ihn nicht gestartet hat.",
        "The host application has not started this service.",
        "The host must run the lifespan of the mounted app: `async with running(app):` around its own.",
    ),
}
