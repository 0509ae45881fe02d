// The journal: what was typed and told, and the story so far, which opens to what it is made of.

import { html, Loaded, Name, Prose, shown, useData, useEffect, useRef, useState } from './base.js';
import { Keep } from './keep.js';

const PAGE = 20;

function Turn({ t, names, here, go }) {
  return html`<article id=${`turn-${t.turn}`} class=${`turn ${here ? 'here' : ''} ${t.gone ? 'gone' : ''}`} aria-label=${`Turn ${t.turn}`}>
    <h3><button type="button" class="link" onClick=${() => go({ turn: t.turn })}>turn ${t.turn}</button> <span class="note"><${Name}>${names[t.scene] || t.scene || ''}<//></span>
      ${t.edited && html`<span class="tag">edited</span>`}${t.gone && html`<span class="tag">taken back</span>`}</h3>
    ${t.text && html`<p class="typed" dir="auto">${shown(t.text)}</p>`}${t.prose && html`<${Prose} text=${t.prose} />`}</article>`;
}

function SoFar({ turn, go, stamp }) {
  const found = useData('/window', { turn, stamp });
  const [open, set] = useState(null);
  return html`<details class="card list"><summary>The story so far, as the window of turn ${turn} had it</summary><${Loaded} of=${found}>${(w) => {
    const items = w.items.filter((i) => i.origin === 'so far');
    return items.length ? items.map((i) => html`<div class="sofar"><p dir="auto">${shown(i.text)}</p><button type="button" class="link" aria-expanded=${open === i.id} onClick=${() => set(open === i.id ? null : i.id)}>${i.sources.length} sources</button>
      ${open === i.id && html`<ul class="sources">${[...new Set(i.sources)].map((s) => { const at = /(\d+)/.exec(s); return html`<li><button type="button" class="link" onClick=${() => at && go({ turn: Number(at[1]) })}><code>${shown(s)}</code></button></li>`; })}</ul>`}</div>`)
      : html`<p class="note">All that was told still stands word for word in the window: nothing had to be made shorter.</p>`;
  }}<//></details>`;
}

export function Journal({ lanes, turn, frame, word, go, stamp }) {
  const [from, set] = useState(Math.max(0, turn - PAGE + 1));
  const [to, setTo] = useState(turn + 3);
  const page = useRef();
  useEffect(() => { if (turn < from || turn > to) { set(Math.max(0, turn - PAGE + 1)); setTo(turn + 3); } }, [turn]);
  const found = useData('/journal', { first: from, last: to, stamp });
  useEffect(() => {
    const at = page.current && page.current.querySelector('.turn.here');
    if (at) at.scrollIntoView({ block: 'center' });
  }, [found.where, turn]);
  const names = lanes ? lanes.names : {};
  const pending = frame.pending;
  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">What was typed and told, word for word.</p></div>
    <${SoFar} turn=${turn} go=${go} stamp=${stamp} />
    <div class="card journal" ref=${page}>${from > 0 && html`<p><button type="button" onClick=${() => set(Math.max(0, from - PAGE))}>Earlier turns</button></p>`}
    <${Loaded} of=${found}>${(d) => html`${d.turns.map((t) => html`<${Turn} key=${t.turn} t=${t} names=${names} here=${t.turn === turn} go=${go} />`)}
      ${d.turns.length > 0 && d.turns[d.turns.length - 1].turn === to && html`<p><button type="button" onClick=${() => setTo(to + PAGE)}>Later turns</button></p>`}
      ${pending && pending.turn <= to && html`<${Turn} t=${{ ...pending, scene: '' }} names=${names} here=${pending.turn === turn} go=${go} />${pending.prose && html`<p class="note">Shown, and not fact before the player answers.</p>`}`}
      <${Keep} name=${`journal-${from}-${to}`} rows=${() => d.turns} all=${() => d} />`}<//></div>`;
}
