// What every view uses: elements, data from the service, words, and the address of the page.

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../vendor/hooks.js';
import htm from '../vendor/htm.js';
import { h, render } from '../vendor/preact.js';

export const html = htm.bind(h);
export { render, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };

// ── the address: #run=…&key=…&view=…&turn=…&as=…&pick=… ────────────────────────────────────

export function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1));
  const turn = found.get('turn');
  return {
    run: found.get('run') || '', key: found.get('key') || '', view: found.get('view') || '',
    turn: turn !== null && /^\d{1,9}$/.test(turn) ? Number(turn) : null,
    as: found.get('as') || '', pick: found.get('pick') || '',
  };
}

/** Where one is, in the address; `step`: something that the browser's Back leads back from. */
export function writeAddress(at, step) {
  const kept = new URLSearchParams();
  for (const name of ['run', 'key', 'view', 'turn', 'as', 'pick']) {
    if (at[name] !== '' && at[name] !== null && at[name] !== undefined) kept.set(name, at[name]);
  }
  if (location.hash === `#${kept}`) return;
  history[step ? 'pushState' : 'replaceState'](null, '', `#${kept}`);
}

// ── the service ─────────────────────────────────────────────────────────────────────────────

export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

let address = readAddress();
export const setAddress = (next) => { address = next; };
const own = () => (address.key ? { authorization: `Bearer ${address.key}` } : {});

export async function ask(path, { method = 'GET', body = null, accept = '' } = {}) {
  const headers = { ...own(), ...(accept && { accept }), ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(path, {
    method, headers, body: body && JSON.stringify(body), credentials: 'omit', referrerPolicy: 'no-referrer',
  });
  if (!answer.ok) {
    let said = `the service answered ${answer.status}`;
    try { said = (await answer.json()).detail || said; } catch { /* it said nothing */ }
    throw new Problem(answer.status, said);
  }
  return answer;
}

const MOST_KEPT = 400;
const kept = new Map();
export const forget = () => kept.clear();

function query(path, params) {
  const all = Object.entries(params).filter(([, v]) => v !== null && v !== undefined && v !== '');
  return `${path}?${new URLSearchParams(all)}`;
}

export async function data(where) {
  if (!kept.has(where)) {
    const made = ask(where).then((answer) => answer.json());
    made.catch(() => kept.delete(where));
    kept.set(where, made);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
  }
  return kept.get(where);
}

/** A view's data. While the next is on its way the last stays; of many asked for in a row, the
 *  one under way and the last are fetched, so that a slider that is dragged asks for few. */
export function useData(path, params, { off = false } = {}) {
  const run = encodeURIComponent(address.run).replace('%40', '@');
  const where = off ? '' : query(`/v1/inspect/${run}${path}`, { as: address.as, ...params });
  const [state, set] = useState({ where: '', data: null, error: null });
  const busy = useRef('');
  const wanted = useRef('');
  wanted.current = where;
  const go = useCallback(() => {
    const now = wanted.current;
    if (!now || busy.current) return;
    busy.current = now;
    data(now).then(
      (found) => ({ where: now, data: found, error: null }),
      (error) => ({ where: now, data: null, error }),
    ).then((next) => {
      busy.current = '';
      if (wanted.current === null) return;
      set(next);
      if (wanted.current !== now) go();
    });
  }, []);
  useEffect(() => { go(); }, [where]);
  useEffect(() => () => { wanted.current = null; }, []);
  if (off) return { where: '', data: null, error: null, loading: false };
  return { ...state, loading: state.where !== where };
}

export function Loaded({ of, children }) {
  if (of.error) {
    return html`<p class="problem" role="alert">${shown(of.error.message)}</p>`;
  }
  if (!of.data) return html`<p class="waiting" aria-live="polite">Reading the run …</p>`;
  return html`<div class=${of.loading ? 'stale' : ''} aria-busy=${of.loading ? 'true' : 'false'}>
    ${children(of.data)}</div>`;
}

// ── words ───────────────────────────────────────────────────────────────────────────────────

const TURNS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g;

/** A text of somebody's as it can be shown: what cannot be seen is, what turns lines does not. */
export function shown(text) {
  return String(text ?? '').replace(TURNS, '').replace(/(\p{M}{3})\p{M}+/gu, '$1').replace(/[\u0000-\u0008\u000b-\u001f]/g,
    (char) => String.fromCharCode(0x2400 + char.charCodeAt(0))).replace(/\u007f/g, '\u2421');
}

export const Name = ({ children, title }) =>
  html`<bdi class="name" title=${title}>${shown(children)}</bdi>`;

/** The beginning of a text, as far as whole words go. */
export function short(text, most) {
  const flat = shown(text).replace(/\s+/g, ' ').trim();
  if (flat.length <= most) return flat;
  const cut = flat.slice(0, most);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most - 24)).replace(/[\s,;:.]+$/, '')} …`;
}

/** A paragraph that was wrapped for a file runs on; one with lines of its own keeps them. */
export function flowing(text) {
  const lines = shown(text).trim().split('\n');
  return lines.slice(0, -1).every((line) => line.length > 55) ? lines.join(' ') : lines.join('\n');
}

/** Prose in paragraphs, each in its own direction. */
export const Prose = ({ text, lang }) => html`<div class="prose" lang=${lang}>
  ${shown(text).split(/\n{2,}/).filter((p) => p.trim()).map((p) => html`<p dir="auto">${flowing(p)}</p>`)}</div>`;

/** A small drawing, the same in every font. */
const SIGNS = {
  landscape: 'M2 14l5-8 3.5 5L13 8l5 6zM7 6V3', window: 'M3 3h14v14H3zM3 7h14M3 11h14M8 11v6', minds: 'M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 17c0-3 2-5 5-5s5 2 5 5M13 5h5M13 9h5M15 13h3',
  presence: 'M2 5h8M13 5h5M2 10h4M9 10h9M2 15h11M16 15h2', things: 'M10 2l7 4v8l-7 4-7-4V6zM3 6l7 4 7-4M10 10v8', journal: 'M4 3h9l3 3v11H4zM7 8h6M7 11h6M7 14h4',
  ledger: 'M6 3v14M6 8c6 0 8-1 8-5M6 14c6 0 8-1 8-4', play: 'M6 4l10 6-10 6z', author: 'M4 16l1-4 9-9 3 3-9 9zM12 5l3 3', own: 'M10 4c4 0 7 3 8 6-1 3-4 6-8 6s-7-3-8-6c1-3 4-6 8-6zM10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z',
};
export const Sign = ({ of }) => html`<svg class="sign" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d=${SIGNS[of] || ''} /></svg>`;

export const number = (value, digits = 2) => (value === null || value === undefined ? '·' : value.toFixed(digits));
export const whole = (value) => Math.round(value).toLocaleString('en');
export const many = (count, word, more = `${word}s`) => `${whole(count)} ${count === 1 ? word : more}`;

// ── small things ────────────────────────────────────────────────────────────────────────────

export function useWidth(ref) {
  const [width, set] = useState(0);
  useLayoutEffect(() => {
    if (!ref.current) return undefined;
    const watch = new ResizeObserver(([entry]) => set(Math.round(entry.contentRect.width)));
    set(Math.round(ref.current.clientWidth));
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, []);
  return width;
}

/** Enter and space do what a click does. */
export const press = (act) => ({
  onClick: act,
  onKeyDown: (event) => {
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); act(event); }
  },
});

export const Bar = ({ value, most = 1, word }) => html`<span class="bar" aria-hidden="true" title=${word}>
  <span class="fill" style=${{ width: `${Math.min(100, Math.max(0, (100 * value) / most))}%` }}></span></span>`;

/** Colours of people: the same for the same place in the cast, distinct in light and dark. */
export const hue = (n) => `hue-${n % 12}`;
