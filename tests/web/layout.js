// What of a table is hidden, cut off, or outside of the window. Run in the page; see test_layout.py.

window.layout = (() => {
  /** Lists that go on in a tip: cards that count for a condition or were scored; long names may end in dots anywhere. */
  const MAY_END_IN_DOTS = ".by, .scored";
  const LOW = 700; // the smallest phone is not as high
  const FEW = 100; // a list of answers that is higher is a long one
  const NARROW = 400; // a phone
  const SMALLEST = 11; // letters that can be read there
  const WIDE = 960; // from there on something stands beside the felt
  const SLACK = 1; // what half pixels may add up to
  const UNSEEN = 2; // what no one sees of a move, as of a name that is drawn in another font
  const shadow = () => document.querySelector("game-table").shadowRoot;
  const all = (selector) => [...shadow().querySelectorAll(selector)].filter((each) => each.checkVisibility());
  /** What was asked for in the next frame, also before a view is shown, as by a window that has another size. */
  const waiting = new Set();
  const later = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (each) => {
    waiting.add(each);
    return later((now) => waiting.delete(each) && each(now));
  };
  /** Draw that at once: no screen is waited for. */
  const draw = () => {
    const due = [...waiting];
    waiting.clear();
    for (const each of due) each(performance.now());
  };
  const named = (each) => `${each.className || each.tagName} "${each.textContent.trim().replace(/\s+/g, " ").slice(0, 40)}"`;

  /** Show what a seat knew, in a language. */
  function show(view, language) {
    const element = document.querySelector("game-table");
    const { page, store } = element;
    store.reload = async () => {}; // a match that is over asks for news
    store.known = { ...store.known, view };
    page.picked.clear();
    page.reason = null;
    page.stage.skip();
    element.language = language;
    page.changed();
    scrollTo(0, 0);
    draw();
  }

  const isInside = ({ left, right, top, bottom }) =>
    left >= -SLACK && top >= -SLACK && right <= innerWidth + SLACK && bottom <= innerHeight + SLACK;

  /** The places of a grid within a box. */
  const places = ({ left, top, width, height }) =>
    [0.1, 0.5, 0.9].flatMap((across) => [0.1, 0.5, 0.9].map((down) => [left + across * width, top + down * height]));

  /** Own cards that are outside, or below something else. */
  const cards = () =>
    all(".tray .hand .face").flatMap((card) => {
      const box = card.getBoundingClientRect();
      if (!isInside(box)) return [`outside: card ${named(card)} ${Math.round(box.top)} to ${Math.round(box.bottom)}`];
      const above = places(box).map(([x, y]) => shadow().elementFromPoint(x, y));
      const other = above.find((each) => each && !card.contains(each) && !each.contains(card));
      return other ? [`above the card ${named(card)}: ${named(other)}`] : [];
    });

  /** Cards of others that are larger than those of the hand. */
  function smaller() {
    const [own] = all(".tray .hand .face").map(({ offsetWidth }) => offsetWidth);
    const others = all(".ring .seat .face").filter(({ offsetWidth }) => offsetWidth > own + SLACK);
    return others.slice(0, 1).map((each) => `larger than the hand: ${named(each)}, ${each.offsetWidth} and not ${own}`);
  }

  /** Where a long list of answers is scrolled by itself: what is not seen there at first. */
  const isScrolled = (button, box) => {
    const list = button.closest(".answers");
    if (!list || getComputedStyle(list).overflowY !== "auto" || button === all(".answers button")[0]) return false;
    const around = list.getBoundingClientRect();
    return isInside(around) && box.bottom > around.bottom + SLACK;
  };

  /** Answers that are outside, or cannot be clicked. */
  const answers = () =>
    all(".tray :is(.moves button:not(:disabled), .rulecard, .confirm, .answer)").flatMap((button) => {
      const box = button.getBoundingClientRect();
      if (isScrolled(button, box)) return [];
      if (!isInside(box)) return [`outside: answer ${named(button)} ${Math.round(box.top)} to ${Math.round(box.bottom)}`];
      const found = shadow().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return button.contains(found) ? [] : [`above the answer ${named(button)}: ${found && named(found)}`];
    });

  /** Text that does not fit into its box, or that leaves its card, button or seat. */
  function cut() {
    const walker = document.createTreeWalker(shadow().querySelector(".board"), NodeFilter.SHOW_TEXT);
    const found = new Set();
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const own = text.parentElement;
      if (!text.data.trim() || !own.checkVisibility() || own.closest(`.spoken, ${MAY_END_IN_DOTS}`)) continue;
      const { display, overflowX, overflowY } = getComputedStyle(own);
      const ends = display !== "inline" && overflowX !== "visible" && own.scrollWidth > own.clientWidth + SLACK;
      const low = display !== "inline" && overflowY === "hidden" && own.scrollHeight > own.clientHeight + 2 * SLACK;
      if (ends || low) found.add(`cut: ${named(own)} in ${named(own.parentElement)}`);
      if (own.closest(".face") && broken(text)) found.add(`broken: ${named(own)}`);
      const frame = own.closest(".face, button, .chip, .speech, .seat, .stand, li, .board");
      const range = document.createRange();
      range.selectNodeContents(text);
      const [box, around] = [range.getBoundingClientRect(), frame.getBoundingClientRect()];
      const below = frame.matches(".board") && own.closest(".answers") ? 0 : box.bottom - around.bottom - SLACK; // that is scrolled
      const out = Math.max(around.left - box.left, box.right - around.right, below);
      if (box.width && out > SLACK) found.add(`leaves ${named(frame)}: ${named(own)} by ${Math.round(out)}`);
      const said = own.closest(".said");
      const bubble = said && getComputedStyle(said).overflowY === "hidden" ? said.getBoundingClientRect() : box;
      const hidden = Math.max(bubble.top - box.top, box.bottom - bubble.bottom);
      if (box.width && hidden > SLACK) found.add(`leaves its room: ${named(own)} by ${hidden.toFixed(1)}`);
    }
    return [...found];
  }

  /** Whether a word that has no place for a hyphen goes on in another line. */
  function broken(text) {
    if (text.data.includes("\u00ad")) return false;
    const range = document.createRange();
    return [...text.data.matchAll(/[^\s-]{2,}/g)].some(({ 0: word, index }) => {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return [...range.getClientRects()].filter(({ width }) => width > SLACK).length > 1;
    });
  }

  /** The question, which has a few lines at most. */
  const question = () =>
    all(".status")
      .filter((each) => each.scrollHeight > each.clientHeight + SLACK)
      .map((each) => `cut: ${named(each)}: ${each.textContent.trim().replace(/\s+/g, " ")}`);

  /** What lies on the felt: players, the trick, piles, what counts, rules in force. */
  const ON_THE_FELT = ".ring .seat, .middle :is(figure, .summed), .court, .pile > figure, .conditions li, .active li, .ladder";
  /** On the smallest phone rules and what was played may go on below the hand, and elsewhere below a long list of answers: that can be scrolled to. */
  const SCROLLED = ".active li, .ladder, .meister-coup :is(figure, .summed, .seat)";
  /** What lies on the felt and is hidden below the hand and the answers. */
  function covered() {
    const { top } = shadow().querySelector(".tray").getBoundingClientRect();
    const full = innerHeight < LOW || all(".tray .moves").some((each) => each.clientHeight > FEW);
    const low = all(ON_THE_FELT).filter(
      (each) => each.getBoundingClientRect().bottom > top + SLACK && !(full && each.matches(SCROLLED)),
    );
    return low.map((each) => `covered: ${named(each)} by ${Math.round(each.getBoundingClientRect().bottom - top)}`);
  }

  /** Buttons beside the felt that are outside. */
  const beside = () =>
    (innerWidth < WIDE ? [] : all(".side > .buttons button"))
      .filter((button) => !isInside(button.getBoundingClientRect()))
      .map((button) => `outside: ${named(button)} ${Math.round(button.getBoundingClientRect().bottom)}`);

  /** The stops of Tab before the viewer, in their order: what answers comes before what is ordered for later. */
  const STOPS = [".moves", ".hand", ".orders"];
  /** In Mondkrone all answers stand with those that a picked card offers, behind the hand. */
  const STOPS_WITH_OFFERS = [".hand", ".answers > :not(.orders)", ".orders"];
  /** Stops that come too early or too late. */
  function stops() {
    const order = shadow().querySelector(".tray > .answers") ? STOPS_WITH_OFFERS : STOPS;
    const found = all(".tray button:enabled").filter(({ tabIndex }) => tabIndex >= 0);
    const places = found.map((each) => order.findIndex((part) => each.closest(part)));
    return found
      .filter((_, at) => places[at] >= 0 && places[at] < Math.max(...places.slice(0, at), -1))
      .map((each) => `too late for Tab: ${named(each)}`);
  }

  /** Answers and cards that Tab comes to only after what is below them: the eye and Tab go the same way. */
  function against() {
    const found = all(".tray :is(.moves, .hand, .answers) button:enabled").filter(
      (each) => each.tabIndex >= 0 && !each.closest(".orders"),
    );
    const isAbove = (one, other) => one.getBoundingClientRect().bottom <= other.getBoundingClientRect().top + SLACK;
    const isHand = (each) => Boolean(each.closest(".hand"));
    return found
      .filter((each, at) => found.slice(0, at).some((before) => isHand(before) !== isHand(each) && isAbove(each, before)))
      .map((each) => `above what Tab comes to before: ${named(each)}`);
  }

  /** Words in Coup that are too small to read on a phone. */
  const tiny = () =>
    (innerWidth < NARROW ? all(".board.coup *") : [])
      .filter((each) => [...each.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim()))
      .map((each) => [each, parseFloat(getComputedStyle(each).fontSize)])
      .filter(([, size]) => size < SMALLEST)
      .map(([each, size]) => `tiny: ${named(each)} ${size}`);

  /** The card with which the most can be done, where a picked card shows what that is. */
  function richest({ question }) {
    const { drawing } = document.querySelector("game-table").page;
    if (!drawing.offers || !question) return null;
    const uses = question.legal.flatMap((command) => ["card", "palette_card", "pile_card"].map((part) => command[part]).filter(Boolean));
    const count = (card) => uses.filter((each) => each === card).length;
    return uses.sort((one, other) => count(other) - count(one))[0] ?? null;
  }

  /** Pick a card, and draw what it offers. */
  function pick(card) {
    const { page } = document.querySelector("game-table");
    page.picked.add(card);
    page.changed();
    draw();
  }

  /** What is wrong with these moments, each by its name; where a picked card shows what it can do, also with the longest list of that. */
  function wrong(moments, language) {
    const faults = () => [...cards(), ...smaller(), ...answers(), ...cut(), ...question(), ...covered(), ...beside(), ...stops(), ...against(), ...tiny()];
    const found = [];
    for (const [name, view] of moments) {
      show(view, language);
      found.push(...faults().map((each) => `${name}: ${each}`));
      const card = richest(view);
      if (card === null) continue;
      pick(card);
      found.push(...faults().map((each) => `${name}, ${card} picked: ${each}`));
    }
    return found;
  }

  /** What a table is made of, each by its name; of several in the order in which they are drawn. */
  const PARTS = {
    question: ".status",
    seats: ".ring .seat",
    tray: ".tray",
    hand: ".tray .hand",
    answers: ".tray .moves",
    side: ".side",
  };

  /** Where the parts of a table stand in these moments, in hundredths of the window: left, top, right and bottom. */
  function boxes(moments, language) {
    const found = moments.map(([, view]) => {
      show(view, language);
      const place = (part) => {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        return [left / innerWidth, top / innerHeight, right / innerWidth, bottom / innerHeight].map((each) => Math.round(100 * each));
      };
      return Object.fromEntries(Object.entries(PARTS).map(([name, selector]) => [name, all(selector).map(place)]));
    });
    return found;
  }

  /** Where all stands that no one plays: the viewer's cards, by their place in the hand, and the seats. */
  const stands = () => {
    const boxes = (selector) => all(selector).map((each) => each.getBoundingClientRect());
    return { hand: boxes(".tray .hand > *"), seats: boxes(".ring .seat"), open: all(".ring [data-tip=open]").length, box: shadow().querySelector(".tray .hand")?.getBoundingClientRect() };
  };
  const isOut = ({ table, seat }) => document.querySelector("game-table").page.drawing.out?.(table, seat);
  const isMoved = (one, other) => Math.abs(one.left - other.left) > UNSEEN || Math.abs(one.top - other.top) > UNSEEN;
  /** Whether two hands have as many rows, of cards as large. */
  const isAlike = ({ hand: one }, { hand: other }) =>
    [one, other].every((each) => each.length) &&
    Math.abs(one[0].width - other[0].width) <= SLACK &&
    new Set(one.map(({ top }) => Math.round(top))).size === new Set(other.map(({ top }) => Math.round(top))).size;

  /** What has moved from one view to the next: cards of a hand of which none was played, its first row, and seats. */
  function moved(views, language) {
    const found = [];
    let last = null;
    for (const [name, view] of views) {
      show(view, language);
      const now = stands();
      const told = (what, one, other) =>
        found.push(`${name}: ${what} from ${Math.round(one.left)}, ${Math.round(one.top)} to ${Math.round(other.left)}, ${Math.round(other.top)}`);
      if (last && !isOut(view) && last.hand.length >= now.hand.length && isAlike(last, now)) {
        const same = last.hand.length === now.hand.length ? now.hand.findIndex((each, place) => isMoved(last.hand[place], each)) : -1;
        if (same >= 0) told(`card ${same}`, last.hand[same], now.hand[same]);
        else if (Math.abs(last.box.top - now.box.top) > UNSEEN) told("hand", last.box, now.box);
      }
      const seat = last?.open === now.open ? now.seats.findIndex((each, place) => isMoved(last.seats[place], each)) : -1;
      if (seat >= 0) told(`seat ${seat}`, last.seats[seat], now.seats[seat]);
      last = now;
    }
    return found;
  }

  /** What is wrong with where the other seats end, where the viewer's own cards begin, and with how wide the page is. */
  function frame([name, view], language) {
    show(view, language);
    const { scrollHeight, scrollWidth } = document.documentElement;
    scrollTo(0, scrollHeight); // in a low window hand and answers lie on what can be scrolled
    const ends = all(".ring .seat").map((seat) => seat.getBoundingClientRect().bottom);
    const { top } = shadow().querySelector(".tray").getBoundingClientRect();
    return [
      ...(ends.length && Math.max(...ends) <= top + 1 ? [] : [`${name}: seats end at ${ends}, own cards begin at ${top}`]),
      ...(scrollWidth > innerWidth ? [`${name}: wider than the window: ${scrollWidth}`] : []),
    ];
  }

  return { wrong, moved, frame, show, boxes, richest, pick };
})();
