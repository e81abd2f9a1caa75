// The load for boardgame.io's server: `node load.cjs '{"port": 1, "matches": 8, "warmSeconds": 1, "seconds": 5}'`.
// Every match has two seats with a connection each; a seat moves as soon as the update of the other one's move has arrived.
// Prints the milliseconds of every measured move, and for how many seconds it measured, as JSON.

const { io } = require("socket.io-client");

const job = JSON.parse(process.argv[2]);
const address = `http://127.0.0.1:${job.port}`;
const times = [];
let from = Infinity;
let until = Infinity;
const patience = setTimeout(() => {
  throw new Error("the matches could not be opened");
}, 60_000);

async function post(path, body) {
  const answer = await fetch(`${address}/games/hands/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

class Seat {
  constructor(match, place, credentials) {
    this.match = match;
    this.place = place;
    this.credentials = credentials;
    this.socket = io(`${address}/hands`, { transports: ["websocket"], forceNew: true, autoConnect: false });
  }

  // Resolves with the state of the match, once this seat gets its updates.
  join() {
    return new Promise((resolve, reject) => {
      this.socket.on("connect_error", reject);
      this.socket.on("connect", () => this.socket.emit("sync", this.match, this.place, this.credentials, 2));
      this.socket.once("sync", (_, { state }) => resolve(state));
      this.socket.connect();
    });
  }

  move(state) {
    const payload = { type: "play", args: [0], playerID: this.place, credentials: this.credentials };
    this.socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, this.match, this.place);
  }
}

async function open() {
  const { matchID } = await post("create", { numPlayers: 2 });
  const seats = [];
  for (const place of ["0", "1"]) {
    const { playerCredentials } = await post(`${matchID}/join`, { playerID: place, playerName: place });
    seats.push(new Seat(matchID, place, playerCredentials));
  }
  const states = await Promise.all(seats.map((seat) => seat.join()));
  return { seats, state: states[0] };
}

// Resolves when the time is over.
function play({ seats, state }) {
  return new Promise((resolve) => {
    let began = performance.now();
    for (const seat of seats) {
      seat.socket.on("update", (_, now) => {
        if (now.ctx.currentPlayer !== seat.place) return;
        const at = performance.now();
        if (began >= from && at <= until) times.push(at - began);
        if (at > until) return resolve();
        began = at;
        seat.move(now);
      });
    }
    seats[Number(state.ctx.currentPlayer)].move(state);
  });
}

async function main() {
  const matches = [];
  for (let number = 0; number < job.matches; number += 1) matches.push(await open());
  clearTimeout(patience);
  from = performance.now() + 1000 * job.warmSeconds;
  until = from + 1000 * job.seconds;
  process.stderr.write("begun\n");
  await Promise.all(matches.map(play));
  process.stdout.write(JSON.stringify({ times, seconds: job.seconds }), () => process.exit(0));
}

main();
