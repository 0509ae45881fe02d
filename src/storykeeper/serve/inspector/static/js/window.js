// A window: its parts to scale, its text beside them, and why each is in it, or is not.

import {
  Bar, html, Loaded, many, Name, number, press, short, shown, useData, useEffect, useMemo, useRef, useState, whole,
} from './base.js';
import { Keep } from './keep.js';
import { MADE, ORIGINS, TERMS, TIERS } from './words.js';

const FACTORS = ['relevance', 'gravity', 'boundary', 'trust', 'recency', 'temperature'];
const origin = (item) => ORIGINS[item.origin] || item.origin.replace(/^hard:/, '');
const [WIDE, TALL, LEAST] = [120, 900, 1.2];

/** Items as blocks, one above the other, as high as they have tokens. */
function Stack({ items, budget, chosen, choose, ghost, label }) {
  const place = useRef();
  const sum = items.reduce((all, i) => all + i.tokens, 0);
  const most = Math.max(budget || 0, sum, 1);
  let at = 0;
  const blocks = items.map((item) => {
    const block = { item, y: (TALL * at) / most, h: Math.max(LEAST, (TALL * item.tokens) / most) };
    at += item.tokens;
    return block;
  });
  return html`<figure class="stack" ref=${place}>
    <svg viewBox=${`0 0 ${WIDE} ${TALL}`} preserveAspectRatio="none" role="group" aria-label=${`${label}: ${whole(sum)} of ${whole(most)} tokens`}>
      <rect class="room" width=${WIDE} height=${TALL} />
      ${blocks.map(({ item, y, h }) => html`<rect key=${item.id} x="0" y=${y} width=${WIDE} height=${h} tabindex=${ghost ? null : '0'} role=${ghost ? null : 'button'}
        class=${`tier-${item.tier} ${chosen === item.id ? 'chosen' : ''}`} aria-pressed=${ghost ? null : chosen === item.id}
        aria-label=${ghost ? null : shown(`${item.id}, ${item.tokens} tokens, ${TIERS[item.tier]}`)} ...${ghost ? {} : press(() => choose(item.id))}><title>${shown(`${item.id} · ${item.tokens} tokens`)}</title></rect>`)}
    </svg></figure>`;
}

/** The text of a window, each item a mark in it. */
function Text({ made, chosen, choose }) {
  const parts = [];
  let at = 0;
  for (const item of made.items) {
    if (item.start < 0) continue;
    if (item.start > at) parts.push([null, made.text.slice(at, item.start)]);
    parts.push([item, made.text.slice(item.start, item.end)]);
    at = item.end;
  }
  if (at < made.text.length) parts.push([null, made.text.slice(at)]);
  return html`<div class="text" dir="auto" tabindex="0" role="region" aria-label="The text of the window">${parts.map(([item, text]) => (item
    ? html`<span key=${item.id} class=${`piece tier-${item.tier} ${chosen === item.id ? 'chosen' : ''}`} role="button" tabindex="0"
        aria-pressed=${chosen === item.id} ...${press(() => choose(item.id))} title=${shown(`${item.id} · ${item.tokens} tokens`)}>${shown(text)}</span>`
    : html`<span class="heading">${shown(text)}</span>`))}</div>`;
}

/** How a factor comes about, with its own numbers where it has some. */
function made(name, terms) {
  if (name !== 'gravity') return MADE[name];
  const pulls = Object.entries(terms.pulls || {}).filter(([, v]) => v).sort((a, b) => b[1] - a[1]);
  return `= 1 + the most of ${pulls.map(([of, v]) => `${of} ${number(v)}`).join(', ') || 'nothing'}. ${MADE.gravity}`;
}

function Factors({ terms, score }) {
  return html`<dl class="factors">${FACTORS.map((name) => html`<dt tabindex="0" title=${TERMS[name]}>${name}</dt>
    <dd><${Bar} value=${terms[name]} most=${Math.max(1, terms[name])} /> <span class="n">${number(terms[name])}</span></dd>`)}
    <dt><b>score</b></dt><dd><b class="n">${number(score, 3)}</b> <span class="note">the product</span></dd>
    ${Object.entries(terms.pulls || {}).filter(([, v]) => v).map(([name, v]) => html`<dt class="sub">of gravity: ${name}</dt><dd><${Bar} value=${v} /> ${number(v)}</dd>`)}</dl>
    <ul class="how">${FACTORS.filter((name) => MADE[name] && Math.abs(terms[name] - 1) > 0.0005).map((name) => html`<li><b>${name} ${number(terms[name])}</b> ${made(name, terms)}</li>`)}</ul>`;
}

const turnOf = (source) => { const found = /^(?:turn|piece|atom|mention):t?(\d+)/.exec(source); return found ? Number(found[1]) : null; };
const factOf = (source) => { const found = /^(?:fact|hint):(.+)$/.exec(source) || /^belief:[^:]+:(.+)$/.exec(source); return found ? found[1] : null; };

function Sources({ sources, go, author }) {
  const seen = [...new Set(sources)];
  return html`<ul class="sources">${seen.slice(0, 60).map((s) => {
    const [turn, fact] = [turnOf(s), factOf(s)];
    return html`<li>${author && turn !== null
      ? html`<button type="button" class="link" onClick=${() => go({ view: 'journal', turn })} title="Read that turn"><code>${shown(s)}</code></button>`
      : author && fact ? html`<button type="button" class="link" onClick=${() => go({ view: 'minds', pick: fact })} title="Who knows it"><code>${shown(s)}</code></button>`
        : html`<code>${shown(s)}</code>`}</li>`;
  })}${seen.length > 60 && html`<li>and ${seen.length - 60} more</li>`}</ul>`;
}

/** Who else holds the facts that an item is of. */
function Others({ item, turn, now, frame }) {
  const facts = [...new Set(item.sources.map(factOf).filter(Boolean))];
  const told = item.sources.map(turnOf).find((t) => t !== null);
  const minds = useData('/knowledge', { turn: now ? null : turn }, { off: !facts.length });
  const heard = useData('/pieces', { turn: told ?? 0 }, { off: facts.length > 0 || told === undefined || told === null });
  const names = Object.fromEntries(frame.people.map((p) => [p.id, p.name]));
  if (minds.data) {
    return html`${facts.map((fact) => { const held = Object.entries(minds.data.held).filter(([, h]) => h[fact]);
      return html`<p>${held.length ? html`Held by ${held.map(([who, h], n) => html`${n ? ', ' : ''}<strong><${Name}>${names[who]}<//></strong> (${h[fact].level})`)}.` : 'Nobody of the cast holds it.'}</p>`; })}`;
  }
  if (heard.data) {
    const who = new Set(heard.data.pieces.flatMap((p) => p.perceived_by));
    return html`<p>${who.size ? html`Something of that turn reached ${[...who].map((w, n) => html`${n ? ', ' : ''}<strong><${Name}>${names[w] || w}<//></strong>`)}. ` : 'Nobody perceived that turn. '}“Who is where” shows it piece by piece.</p>`;
  }
  return html`<p class="note">${facts.length || (told !== undefined && told !== null) ? 'Looking …' : 'It is the author’s for this audience: nobody in the story holds it as such.'}</p>`;
}

function Detail({ item, go, author, frame, turn, now }) {
  return html`<div aria-live="polite"><h3><code>${shown(item.id)}</code></h3>
    <p><span class=${`tag tier-${item.tier}`} title=${TERMS[`tier${item.tier}`]}>${TIERS[item.tier]}</span><span class="tag">${origin(item)}</span>
      <span class="tag" title=${TERMS[item.class]}>${item.class}</span>${item.form && html`<span class="tag">${item.form}</span>`}
      ${item.tokens !== undefined && html`<span class="tag">${many(item.tokens, 'token')}</span>`}</p>
    ${item.text && html`<blockquote dir="auto">${shown(item.text)}</blockquote>`}
    ${item.reason && html`<p><strong>Left out:</strong> ${shown(item.reason)}${item.lacking ? `, ${many(item.lacking, 'token')} short` : ''}</p>`}
    ${item.rule && html`<p><strong>Withheld</strong> from ${author ? 'the narrator' : html`<${Name}>${frame.name}<//>`} by the rule «${shown(item.rule)}»</p>`}
    ${item.terms && html`<h4>why</h4><${Factors} terms=${item.terms} score=${item.score} />`}
    <h4>from</h4><${Sources} sources=${item.sources} go=${go} author=${author} />
    ${author && html`<h4>who else may know it</h4><${Others} key=${item.id} item=${item} turn=${turn} now=${now} frame=${frame} />`}</div>`;
}

function Spent({ made, budget }) {
  const by = [1, 2, 3, 4].map((tier) => [tier, made.items.filter((i) => i.tier === tier).reduce((all, i) => all + i.tokens, 0)]);
  const kinds = {};
  for (const i of made.items) kinds[origin(i)] = (kinds[origin(i)] || 0) + i.tokens;
  const sum = by.reduce((all, [, n]) => all + n, 0) || 1;
  return html`<p><b>${whole(made.tokens)}</b>${budget ? ` of ${whole(budget)}` : ''} tokens, ${many(made.items.length, 'item')}</p>
    <div class="shares" aria-hidden="true">${by.map(([tier, n]) => html`<span class=${`tier-${tier}`} style=${{ flexGrow: n }} title=${`${TIERS[tier]}: ${n}`}></span>`)}</div>
    <ul class="legend">${by.map(([tier, n]) => html`<li tabindex="0" title=${TERMS[`tier${tier}`]}><span class=${`dot tier-${tier}`}></span>${TIERS[tier]} ${whole(n)} · ${Math.round((100 * n) / sum)} %</li>`)}</ul>
    <details><summary>by source</summary><ul class="plainlist">${Object.entries(kinds).sort((a, b) => b[1] - a[1]).map(([kind, n]) => html`<li><${Bar} value=${n} most=${sum} /> ${kind} ${whole(n)}</li>`)}</ul></details>`;
}

/** What is in one window and not in another, and what moved. */
function Differences({ one, other, said, choose }) {
  const [a, b] = [one, other].map((w) => new Map(w.items.map((i) => [i.id, i])));
  const came = other.items.filter((i) => !a.has(i.id));
  const went = one.items.filter((i) => !b.has(i.id));
  const moved = other.items.filter((i) => a.has(i.id) && (a.get(i.id).form !== i.form || Math.abs(a.get(i.id).score - i.score) > 0.0005));
  const factors = (i) => FACTORS.filter((f) => Math.abs(a.get(i.id).terms[f] - i.terms[f]) > 0.0005)
    .map((f) => `${f} ${number(a.get(i.id).terms[f])} → ${number(i.terms[f])}`).join(', ');
  const listed = (items, sign, word) => html`<section><h4>${word} (${items.length})</h4><ul class="plainlist diff">${items.slice(0, 80).map((i) => html`<li>
    <span class=${`sign ${sign}`} aria-hidden="true">${{ came: '+', went: '−', moved: '~' }[sign]}</span><code>${shown(i.id)}</code> <span class="n">${sign === 'moved' ? `${number(a.get(i.id).score, 3)} → ${number(i.score, 3)}` : `${i.tokens} t`}</span>
    ${sign === 'moved' && html` <span class="note">${a.get(i.id).form !== i.form ? `${a.get(i.id).form} → ${i.form} ` : ''}${factors(i)}</span>`}</li>`)}</ul></section>`;
  return html`<div class="card"><h3>${said}</h3><div class="three">${listed(came, 'came', 'only in the other')}${listed(went, 'went', 'only in this')}${listed(moved, 'moved', 'in both, otherwise')}</div></div>`;
}

function Ghost({ turn, budget, made }) {
  const plain = useData('/plain', { turn, tokens: budget });
  return html`<section class="card ghost"><h3>What plain history would have had</h3><${Loaded} of=${plain}>${(p) => {
    const gone = made.items.filter((i) => i.tier > 1 && i.sources.some((s) => turnOf(s) !== null && (p.from === null || turnOf(s) < p.from)));
    return html`<p>At ${whole(p.budget)} tokens: ${p.turns.length ? html`the newest <b>${p.turns.length}</b> of ${p.told} turns, from turn ${p.from} on` : 'no whole turn'}, and nothing else:
      no rules, no facts, nobody’s knowledge. It would not have ${many(gone.length, 'item')} of this window that ${gone.length === 1 ? 'is' : 'are'} older.</p>
    <div class="text faint" dir="auto" tabindex="0" role="region" aria-label="Plain history">${p.turns.map((t) => html`<p><b>turn ${t.turn}</b> <span class="note">${t.tokens} tokens</span><br />${shown(t.text)}</p>`)}</div>`;
  }}<//></section>`;
}

function LeftOut({ made, chosen, choose }) {
  return html`<details class="list" open=${made.left_out.length + (made.refused || []).length < 12}><summary>Left out (${made.left_out.length})${made.refused ? ` and withheld (${made.refused.length})` : ''}</summary>
    <ul class="plainlist out">${made.left_out.slice(0, 200).map((i) => html`<li><button type="button" class="link" aria-pressed=${chosen === i.id} onClick=${() => choose(i.id)}><code>${shown(i.id)}</code></button> ${shown(i.reason)}${i.lacking ? `, ${i.lacking} tokens short` : ''} · ${number(i.score, 3)}${i.text && html`<span class="says" dir="auto">${short(i.text, 160)}</span>`}</li>`)}
    ${(made.refused || []).slice(0, 200).map((i) => html`<li class="withheld"><button type="button" class="link" aria-pressed=${chosen === i.id} onClick=${() => choose(i.id)}><code>${shown(i.id)}</code></button> withheld from the narrator: «${shown(i.rule)}»</li>`)}</ul></details>`;
}

/** Why something is not there: a thing by a word in its id, a sentence by its words. */
function AskAfter({ turn, frame, choose }) {
  const [words, set] = useState('');
  const [wanted, want] = useState('');
  const [who, as] = useState('narrator');
  const found = useData('/asked', { turn, words: wanted, audience: who }, { off: wanted.length < 2 });
  return html`<details class="list asks"><summary>Why is something not in it?</summary>
    <form class="row tight" onSubmit=${(e) => { e.preventDefault(); want(words.trim()); }}><input aria-label="A word, an id, or a sentence that was told" placeholder="key, mara, or a sentence" value=${words} onInput=${(e) => set(e.target.value)} />
      <select aria-label="In whose window" value=${who} onChange=${(e) => as(e.target.value)}><option value="narrator">for the narrator</option>${frame.people.map((p) => html`<option value=${p.id}>for ${shown(p.name)}</option>`)}</select><button>Ask</button></form>
    ${wanted.length > 1 && html`<${Loaded} of=${found}>${(d) => { const rules = Object.entries(d.rulings);
      return html`<ul class="plainlist">${rules.map(([name, r]) => html`<li><code>${shown(name)}</code> <span class=${r.open ? '' : 'withheld'}>${r.open ? 'may be known' : 'withheld'}: ${shown(r.rule)}</span></li>`)}
        ${d.told.map((t) => html`<li>turn ${t.turn}: “${shown(t.text)}” ${t.item ? html`stands in <button type="button" class="link" onClick=${() => choose(t.item)}><code>${shown(t.item)}</code></button>` : html`<span class="withheld">is not in it: ${shown(t.reason)}</span>`}</li>`)}
        ${rules.length + d.told.length === 0 && html`<li class="note">Nothing of the story is called that, and nothing told says it.</li>`}</ul>`; }}<//>`}</details>`;
}

export function Window({ frame, turn, now, last, word, go, stamp }) {
  const author = frame.audience === 'author';
  const [budget, setBudget] = useState('');
  const [other, setOther] = useState({ turn: '', tokens: '' });
  const [text, setText] = useState('');
  const [typed, type] = useState('');
  const [chosen, choose] = useState(null);
  const [ghost, setGhost] = useState(false);
  const found = useData('/window', { turn, tokens: budget, text: typed, stamp });
  const compare = other.turn !== '' || other.tokens !== '';
  const second = useData('/window', { turn: other.turn === '' ? turn : other.turn, tokens: other.tokens || budget, stamp }, { off: !compare });
  const made = found.data;
  const item = made && [...made.items, ...made.left_out, ...(made.refused || [])].find((i) => i.id === chosen);
  const limit = made && (made.spent ? made.spent.budget : null);
  const pick = (id) => choose(chosen === id ? null : id);
  const rows = () => made.items.map((i) => ({ id: i.id, tier: i.tier, origin: i.origin, class: i.class, form: i.form, tokens: i.tokens, score: i.score, sources: i.sources.join(' '), text: i.text }));
  return html`<div class="head"><h2 id="view-title">${word}</h2>
      <p class="lead">${author ? 'All that the narrator was given for this turn, and why.' : html`What <strong><${Name}>${frame.name}<//></strong> had for this turn: nothing that they may not know.`}</p></div>
    <details class="card controls" open=${innerWidth > 768}><summary>Other sizes, other turns, other words</summary><form class="row" onSubmit=${(e) => { e.preventDefault(); type(text); }}>
      <label>Tokens <input type="number" min="200" max="60000" step="100" placeholder="as it was" value=${budget} onChange=${(e) => setBudget(e.target.value)} /></label>
      <label>Compare with turn <input type="number" min="0" max=${last} value=${other.turn} onChange=${(e) => setOther({ ...other, turn: e.target.value })} /></label>
      <label>or with tokens <input type="number" min="200" max="60000" step="100" value=${other.tokens} onChange=${(e) => setOther({ ...other, tokens: e.target.value })} /></label>
      ${author && html`<label class="chip"><input type="checkbox" checked=${ghost} onChange=${(e) => setGhost(e.target.checked)} /> plain history beside it</label>`}
      ${!frame.linked && html`<label class="grow">If the player typed <input value=${text} onInput=${(e) => setText(e.target.value)} placeholder="I ask Mara …" /></label><button>Try it</button>
        ${typed && html`<button type="button" onClick=${() => { type(''); setText(''); }}>Back to the turn</button>`}`}
    </form></details>
    <${Loaded} of=${found}>${(w) => html`
      ${typed && html`<p class="note">The next window, if “${shown(typed)}” were typed now. Nothing is played.</p>`}
      ${w.notes.map((n) => html`<p class="note">${shown(n)}</p>`)}
      <div class="split windowed"><div class="card pair"><${Stack} items=${w.items} budget=${limit} chosen=${chosen} choose=${pick} label="The window" />
        ${second.data && compare && html`<${Stack} items=${second.data.items} budget=${second.data.spent && second.data.spent.budget} chosen=${chosen} choose=${pick} label="The other window" />`}
        <${Text} made=${w} chosen=${chosen} choose=${pick} /></div>
      <aside class="card side" aria-label="Why">${item ? html`<${Detail} item=${item} go=${go} author=${author} frame=${frame} turn=${turn} now=${now} />`
        : html`<h3>Turn ${w.turn}, for ${author ? 'the narrator' : html`<${Name}>${frame.name}<//>`}</h3><${Spent} made=${w} budget=${limit} />
          ${w.heat !== undefined && w.heat !== null && html`<p title="The mean intensity of the last turns; it moves scores.">heat of the scene ${number(w.heat)}</p>`}<p class="note">Choose a sentence, or a block of the stack.</p>`}
        ${author && html`<${AskAfter} turn=${w.turn} frame=${frame} choose=${choose} />`}
        <${LeftOut} made=${w} chosen=${chosen} choose=${pick} /></aside></div>
      ${compare && second.data && html`<${Differences} one=${w} other=${second.data} choose=${pick} said=${`Against turn ${second.data.turn}${second.data.spent ? ` at ${whole(second.data.spent.budget)} tokens` : ''}`} />`}
      ${ghost && author && html`<${Ghost} turn=${w.turn} budget=${limit || w.tokens} made=${w} />`}
      <${Keep} name=${`window-turn-${w.turn}`} rows=${rows} all=${() => w} />`}<//>`;
}
