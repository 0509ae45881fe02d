// The page: its frame, the time slider, who looks, and the view that is open.

import {
  ask, data, forget, html, many, Name, readAddress, render, setAddress, shown, Sign, useCallback, useData, useEffect,
  useMemo, useRef, useState, writeAddress,
} from './base.js';
import { Author } from './author.js';
import { Journal } from './journal.js';
import { Landscape } from './landscape.js';
import { Ledger } from './ledger.js';
import { Minds } from './minds.js';
import { Own } from './own.js';
import { Play } from './play.js';
import { Presence } from './presence.js';
import { Slider } from './slider.js';
import { Things } from './things.js';
import { Tip } from './tip.js';
import { Window } from './window.js';

const VIEWS = [
  ['landscape', 'Landscape', Landscape], ['window', 'Window', Window], ['minds', 'Who knows what', Minds],
  ['presence', 'Who is where', Presence], ['things', 'Things & ties', Things], ['journal', 'Journal', Journal],
  ['ledger', 'Ledger', Ledger], ['play', 'Play', Play], ['author', 'Story files', Author],
];
const OWN = [['window', 'The window', Window], ['own', 'Seen and held', Own]];
const SETTLE = 90; // ms that a dragged slider rests before the views follow
const RESTED = 400; // ms that it rests before it is a step to come back to
const PLACES = ['run', 'key', 'view', 'as', 'pick'];

/** A value as it rests; until the run is known, and at once when it is, as it stands. */
function useSettled(value, ready) {
  const [settled, set] = useState(value);
  const fresh = useRef(true);
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, SETTLE - (performance.now() - last.current));
    const timer = setTimeout(() => { last.current = performance.now(); if (ready) fresh.current = false; set(value); }, wait);
    return () => clearTimeout(timer);
  }, [value, ready]);
  return fresh.current ? value : settled;
}

function useTheme() {
  const [theme, set] = useState(() => { try { return localStorage.getItem('storykeeper-theme') || ''; } catch { return ''; } });
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem('storykeeper-theme', theme); } catch { /* it is not kept, then */ }
  }, [theme]);
  return [theme, set];
}

const THEMES = { '': 'As the system has it', light: 'Light', dark: 'Dark' };

function Top({ frame, at, go, theme, setTheme, help }) {
  return html`<header class="top">
    <a class="mark" href=${location.hash} aria-label="storykeeper" tabindex="-1"><img src="icon.svg" alt="" width="28" height="28" /></a>
    <div class="title"><h1><${Name}>${frame.title || 'A run'}<//></h1>
      <p>${frame.by && html`<${Name}>${frame.by}<// > · `}<span class="run">${at.run}</span></p></div>
    <div class="who">
      ${frame.linked
        ? html`<p class="eyes">as <strong><${Name}>${frame.name}<//></strong> sees it</p>`
        : html`<label>Seen by <select value=${at.as} onChange=${(e) => go({ as: e.target.value, pick: '' })}>
            <option value="" selected=${!at.as}>the author: everything</option>
            <option value="narrator" selected=${at.as === 'narrator'}>the narrator</option>
            ${(frame.people || []).map((p) => html`<option value=${p.id} selected=${at.as === p.id}>${shown(p.name)}</option>`)}
          </select></label>`}
    </div>
    <div class="tools">
      <${Theme} theme=${theme} setTheme=${setTheme} />
      <button type="button" class="quiet print" onClick=${() => print()}>Print</button>
      <button type="button" class="quiet" onClick=${help} aria-haspopup="dialog">Help</button>
    </div>
  </header>`;
}

const Theme = ({ theme, setTheme }) => html`<label class="quiet theme"><span>Colours</span> <select value=${theme} onChange=${(e) => setTheme(e.target.value)}>
  ${Object.entries(THEMES).map(([value, word]) => html`<option value=${value} selected=${theme === value}>${word}</option>`)}</select></label>`;

function Help({ views, close, theme, setTheme }) {
  const box = useRef();
  useEffect(() => { box.current.showModal(); }, []);
  return html`<dialog ref=${box} class="help" onClose=${close} aria-labelledby="help-title">
    <h2 id="help-title">Reading this page</h2>
    <p>The slider at the foot moves through the turns; every view shows the story as it stood after that turn.
      Point at anything, or reach it with Tab, and it is explained.</p>
    <dl>${views.map(([, word], n) => html`<dt><kbd>${n + 1}</kbd></dt><dd>${word}</dd>`)}
      <dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>a turn back, a turn on; with Shift ten</dd>
      <dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>the first turn, now</dd>
      <dt><kbd>p</kbd></dt><dd>let it run</dd><dt><kbd>?</kbd></dt><dd>this</dd></dl>
    <p><${Theme} theme=${theme} setTheme=${setTheme} /></p>
    <form method="dialog"><button class="main">Close</button></form>
  </dialog>`;
}

function Links({ frame, at }) {
  const [made, set] = useState(null);
  const [who, choose] = useState((frame.players || [])[0] || '');
  const make = async () => {
    const answer = await ask(`/v1/inspect/${at.run}/links`, { method: 'POST', body: { audience: who } });
    set(await answer.json());
  };
  return html`<details class="links"><summary>A link for a player</summary>
    <p>It shows this run as one person sees it: their window, what they perceived and hold. It opens nothing else.</p>
    <p class="row"><select aria-label="Whose eyes" value=${who} onChange=${(e) => choose(e.target.value)}>
      ${(frame.people || []).map((p) => html`<option value=${p.id} selected=${who === p.id}>${shown(p.name)}</option>`)}</select>
      <button type="button" onClick=${make}>Make the link</button></p>
    ${made && html`<p class="row"><input readonly aria-label="The link" value=${location.origin + made.address} onFocus=${(e) => e.target.select()} /></p>
      <p class="note">Key ${made.id}; it is shown this once. <code>storykeeper key revoke ${made.id}</code> ends it.</p>`}
  </details>`;
}

const typing = (target) => target.closest('input:not([type=range]), textarea, select, [contenteditable]');

function useKeys({ views, go, move, toggle, help }) {
  useEffect(() => {
    const heard = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector('dialog[open]')) return;
      const by = event.shiftKey ? 10 : 1;
      const acts = {
        ArrowLeft: () => move(-by), ArrowRight: () => move(by), Home: () => move(-Infinity), End: () => move(Infinity),
        p: toggle, '?': help,
      };
      const own = event.target.matches('input[type=range], [role=tab], [role=grid] *');
      const act = own && event.key.length > 1 ? null : acts[event.key] || (/^[1-9]$/.test(event.key) && views[event.key - 1] && (() => go({ view: views[event.key - 1][0], pick: '' })));
      if (act) { event.preventDefault(); act(); }
    };
    addEventListener('keydown', heard);
    return () => removeEventListener('keydown', heard);
  });
}

function App() {
  const [at, setAt] = useState(readAddress);
  setAddress(at);
  const [stamp, restamp] = useState(0); // another one when the run was played on
  const [playing, setPlaying] = useState(false);
  const [helping, setHelping] = useState(false);
  const [theme, setTheme] = useTheme();
  const frame = useData('', { stamp });
  const found = frame.data || {};
  // Of whoever is looked through now: while their frame is on its way, nobody's views are asked for.
  const ready = !!frame.data && (found.linked || found.audience === (at.as || 'author'));
  const lanes = useData('/lanes', { stamp }, { off: !ready || found.linked || found.audience !== 'author' });
  const last = found.last ?? 0;
  const turn = at.turn === null ? last : frame.data ? Math.min(at.turn, last) : at.turn;
  const settled = useSettled(turn, !!frame.data);
  const go = useCallback((next) => setAt((old) => ({ ...old, ...next })), []);
  const move = (by) => go({ turn: by === Infinity ? null : Math.max(0, Math.min(last, turn + by)) });
  const follow = useCallback(() => { forget(); restamp((n) => n + 1); go({ turn: null }); }, []);
  const views = found.audience && found.audience !== 'author' ? OWN : VIEWS;
  const open = views.find(([name]) => name === at.view) || views[0];
  const View = open[2];
  const written = useRef(null);
  useEffect(() => {
    const before = written.current;
    const write = () => { written.current = at; writeAddress(at, before && !playing); };
    if (!before || PLACES.some((name) => before[name] !== at[name])) { write(); return undefined; }
    const timer = setTimeout(write, RESTED);
    return () => clearTimeout(timer);
  }, [at]);
  useEffect(() => {
    const changed = () => setAt(readAddress());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  useEffect(() => {
    const button = document.querySelector('.views .here');
    if (button) button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open[0], !frame.data]);
  useEffect(() => {
    document.title = `${shown(found.title || 'storykeeper')} · ${open[1]}`;
  }, [found.title, open[1]]);
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => setAt((old) => {
      const now = old.turn === null ? last : old.turn;
      if (now >= last) { setPlaying(false); return old; }
      return { ...old, turn: now + Math.max(1, Math.round(last / 400)) };
    }), 700);
    return () => clearInterval(timer);
  }, [playing, last]);
  const toggle = () => { if (!playing && turn >= last) go({ turn: 0 }); setPlaying(!playing); };
  useKeys({ views, go, move, toggle, help: () => setHelping(true) });

  // The same element as long as nothing that it shows is another: a dragged slider draws only itself.
  const view = useMemo(() => !ready ? html`<p class="waiting" aria-live="polite">Looking through other eyes …</p>` : html`<${View} key=${`${open[0]} ${at.as}`} frame=${found} lanes=${lanes.data} turn=${Math.min(settled, last)}
    last=${last} now=${settled >= last} go=${go} follow=${follow} stamp=${stamp} word=${open[1]} pick=${at.pick} />`, [open[0], at.as, at.pick, ready, frame.data, lanes.data, settled, stamp]);

  const around = useMemo(() => frame.data && [html`<${Top} frame=${found} at=${at} go=${go} theme=${theme} setTheme=${setTheme} help=${() => setHelping(true)} />`,
    html`<nav class="views" aria-label="Views"><ul>${views.map(([name, word], n) => html`<li>
      <button type="button" class=${`${name === open[0] ? 'here' : ''} ${name === 'author' && !found.files ? 'dim' : ''}`} aria-current=${name === open[0] ? 'page' : null}
        onClick=${() => go({ view: name, pick: '' })} title=${`${word} (${n + 1})${name === 'author' && !found.files ? ': not at hand; start with --stories and the folder above the story’s' : ''}`}><${Sign} of=${name} /><span>${word}</span></button></li>`)}</ul>
      ${!found.linked && found.audience === 'author' && html`<${Links} frame=${found} at=${at} />`}</nav>`], [open[0], at.as, at.run, frame.data, theme]);

  if (frame.error) {
    return html`<main class="alone"><h1>This run cannot be shown</h1><p role="alert">${shown(frame.error.message)}</p>
      <p>The address needs <code>#run=…</code>, and a key where the service asks for one. <code>storykeeper inspect RUN</code> prints a whole one.</p></main>`;
  }
  if (!frame.data) return html`<p class="boot" aria-live="polite">Opening the run …</p>`;
  const scene = lanes.data && (lanes.data.scenes.find(([first, end]) => first <= turn && turn <= end) || [])[2];
  return html`<div class="page">
    <a class="skip" href="#main" onClick=${(e) => { e.preventDefault(); document.getElementById('main').focus(); }}>To the view</a>
    ${around}
    <main id="main" tabindex="-1" class=${`view in-${open[0]}`} aria-labelledby="view-title">
      ${view}</main>
    <${Slider} turn=${turn} last=${last} fact=${found.fact} lanes=${lanes.data} scene=${scene} players=${found.players} people=${found.people} move=${move} playing=${playing}
      toggle=${toggle} set=${(n) => go({ turn: n >= last ? null : n })} />
    <${Tip} />
    ${helping && html`<${Help} views=${views} theme=${theme} setTheme=${setTheme} close=${() => setHelping(false)} />`}
  </div>`;
}

document.getElementById('app').textContent = '';
render(html`<${App} />`, document.getElementById('app'));
