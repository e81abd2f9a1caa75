// A small game with hidden hands on boardgame.io's own server: `node server.cjs memory|flatfile FOLDER`.
// Two seats take turns and never end: a seat plays one of its five cards and draws another one.
// Prints `listening PORT` once it answers.

const { Server, FlatFile, Origins } = require("boardgame.io/server");
const { PlayerView, INVALID_MOVE } = require("boardgame.io/core");

const CARDS = 15;

const game = {
  name: "hands",
  setup: ({ random }) => {
    const deck = random.Shuffle(Array.from({ length: CARDS }, (_, card) => card));
    return { secret: { deck: deck.slice(10) }, players: { 0: deck.slice(0, 5), 1: deck.slice(5, 10) }, pile: [] };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      // Only the server knows the deck.
      client: false,
      move: ({ G, playerID, random }, place) => {
        const hand = G.players[playerID];
        if (!Number.isInteger(place) || place < 0 || place >= hand.length) return INVALID_MOVE;
        G.pile.push(hand.splice(place, 1)[0]);
        if (G.secret.deck.length === 0) G.secret.deck = random.Shuffle(G.pile.splice(0, G.pile.length - 1));
        hand.push(G.secret.deck.pop());
      },
    },
  },
};

const [kind, folder] = process.argv.slice(2);
const db = kind === "flatfile" ? new FlatFile({ dir: folder }) : undefined;
// The server prints a line for some of its steps.
console.info = () => {};
const server = Server({ games: [game], db, origins: [Origins.LOCALHOST] });
// Port 0 would be taken for "not given".
const probe = require("node:net").createServer();
probe.listen(0, "127.0.0.1", () => {
  const { port } = probe.address();
  probe.close(() => server.run({ port, callback: () => process.stdout.write(`listening ${port}\n`) }));
});
