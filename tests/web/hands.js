// What hands at a browser see: where something is to be done, and where the focus is. Run in the page; see hands.py.

window.hands = (() => {
  const STOPS = "a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex], game-table";
  const shadow = () => document.querySelector("game-table")?.shadowRoot;
  const sending = () => document.querySelector("game-table").store.sending;
  const question = () => document.querySelector("game-table").store.view?.question;
  const resting = () => document.querySelector("game-table").page.stage.shown !== null;
  const shown = (each) => each.checkVisibility() && each.getClientRects().length > 0; // what is folded in a menu has a place, but is not seen
  const all = (selector) => [...(shadow()?.querySelectorAll(selector) ?? [])].filter(shown);

  /**
   * Return anything that answers this decision; *number* from 0 to 1 chooses. A pause on the table is ended. There is no answer while one is being sent. Surplus picked
   * cards are put back, and a replay is left: a line of the log may have moved to where the mouse was about to click.
   */
  function choice(number, asked) {
    if (sending()) return undefined;
    if (resting()) return all(".go-on, .resting .tray > .seat")[0];
    if (question()?.decision !== asked || question().answered !== null) return undefined;
    const any = (found) => found[Math.floor(number * found.length)];
    const picked = all(".hand .picked");
    const free = all(".moves button:enabled, .rulecard, .hand .legal:not(.picked)");
    return all(".replay-bar button")[0] ?? all(".confirm:enabled")[0] ?? any(all(".answer:enabled")) ?? (picked.length > 3 ? any(picked) : any(free));
  }

  const stopsIn = (root) =>
    [...root.querySelectorAll(STOPS)].flatMap((each) => (each.shadowRoot ? stopsIn(each.shadowRoot) : each.tabIndex >= 0 && shown(each) ? [each] : []));

  /** Return how often Tab leads from the focus to there; negative for Shift and Tab. */
  function steps(found) {
    const stops = stopsIn(document);
    const active = shadow()?.activeElement ?? document.activeElement;
    if (stops.includes(active)) return stops.indexOf(found) - stops.indexOf(active);
    const begin = active.getRootNode();
    const isAfter = (each) =>
      begin === each.getRootNode() ? active.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING : begin === document;
    const after = stops.filter(isAfter);
    return after.includes(found) ? after.indexOf(found) + 1 : stops.indexOf(found) - (stops.length - after.length);
  }

  const cardsOf = (found) => [...(found.closest(".hand")?.querySelectorAll("button") ?? [])];
  /** Return the stop of Tab from which arrows lead there: the cards of a hand are one. */
  const stopOf = (found) => cardsOf(found).find((each) => each.tabIndex >= 0) ?? found;
  const arrows = (found) => cardsOf(found).indexOf(found) - cardsOf(found).indexOf(stopOf(found));

  function point(found) {
    found.scrollIntoView({ block: "nearest", behavior: "instant" });
    const box = found.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return { x, y, hit: found.contains(shadow().elementFromPoint(x, y)) };
  }

  /** Wait until what was picked is seen; after an answer there is nothing to do before the next question. */
  async function drawn() {
    if (wanted && !sending()) await new Promise(requestAnimationFrame);
  }

  const over = () => all(".result").length > 0;
  /** Whether nothing has the focus of the page. Tab may have led out of it: an update had taken away stops before the one that was wanted. */
  const isLost = () => document.hasFocus() && !shadow()?.activeElement && [document.body, null].includes(document.activeElement);

  let wanted = null;
  return {
    async mouse(number, asked) {
      await drawn();
      wanted = choice(number, asked);
      return { over: over(), resting: resting(), found: wanted ? point(wanted) : null };
    },
    async keys(number, asked) {
      await drawn();
      wanted = choice(number, asked);
      return { over: over(), lost: isLost(), resting: resting(), found: wanted ? { steps: steps(stopOf(wanted)), arrows: arrows(wanted) } : null };
    },
    /** Tell of the focus, if it has come to what was wanted: whether there is a ring around it, and whether it can be seen. */
    reached() {
      const active = shadow()?.activeElement;
      if (!active || active !== wanted) return null;
      const style = getComputedStyle(active);
      const box = active.getBoundingClientRect();
      const there = shadow().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
      return { ring, seen: active.contains(there), name: active.ariaLabel ?? active.innerText };
    },
  };
})();
