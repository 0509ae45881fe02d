// The story's files, with what is wrong in them in place; saved files are followed from here on.

import { ask, html, Loaded, many, shown, useData, useEffect, useMemo, useState } from './base.js';

const EVERY = 2000; // ms between two looks whether something was saved
const SIGN = { error: '✕', warning: '!', note: 'i' };

function File({ file, problems }) {
  const at = useMemo(() => { const found = new Map(); for (const p of problems) found.set(p.line, [...(found.get(p.line) || []), p]); return found; }, [problems]);
  const lines = file.text.replace(/\n$/, '').split('\n');
  return html`<ol class="file" tabindex="0" aria-label=${file.file}>${[...(at.get(0) || [])].map((p) => html`<${Wrong} p=${p} />`)}
    ${lines.map((line, n) => html`<li class=${at.has(n + 1) ? 'marked' : ''}><code>${shown(line) || ' '}</code>${(at.get(n + 1) || []).map((p) => html`<${Wrong} p=${p} />`)}</li>`)}</ol>`;
}

const Wrong = ({ p }) => html`<p class=${`inline ${p.severity}`}><span aria-hidden="true">${SIGN[p.severity]}</span> <b>${p.severity}</b> ${shown(p.what)}${p.fix && html` — ${shown(p.fix)}`}</p>`;

export function Author({ word, follow, frame, stamp }) {
  const [seen, look] = useState(0);
  const [file, choose] = useState('');
  const [watch, setWatch] = useState(true);
  const [adopting, setAdopting] = useState(false);
  const [said, say] = useState('');
  const found = useData('/story', { stamp, seen });
  useEffect(() => { if (!watch) return undefined; const timer = setInterval(() => { if (!document.hidden) look((n) => n + 1); }, EVERY); return () => clearInterval(timer); }, [watch]);
  const adopt = async () => {
    try { const done = await (await ask(`/v1/inspect/${frame.run}/story/adopt`, { method: 'POST' })).json(); say(done.adopted ? `the run follows the saved files from here on (${done.digest})` : 'the run follows them already'); follow(); }
    catch (error) { say(shown(error.message)); }
  };
  const d = found.data;
  useEffect(() => { if (d && adopting && d.changed && d.loads) adopt(); }, [d && d.stamp, adopting]);
  return html`<div class="head"><h2 id="view-title">${word}</h2><p class="lead">Edit them in your own editor: what <code>check</code> finds stands in the lines below when you save.</p></div>
    <${Loaded} of=${found}>${(s) => { const worst = (kind) => s.files.find((f) => s.problems.some((p) => p.file === f.file && p.severity === kind));
      const shownFile = s.files.find((f) => f.file === file) || worst('error') || worst('warning') || s.files[0];
      const count = (kind) => s.problems.filter((p) => p.severity === kind).length;
      return html`<section class="card row"><p><b>${many(count('error'), 'error')}, ${many(count('warning'), 'warning')}</b>${count('note') ? `, ${many(count('note'), 'note')}` : ''}. ${s.loads ? (s.changed ? 'The run still follows the files as they were.' : 'The run follows these files.') : 'They cannot be followed before the errors are mended.'}</p>
        <label class="chip"><input type="checkbox" checked=${watch} onChange=${(e) => setWatch(e.target.checked)} /> look when they are saved</label>
        <label class="chip"><input type="checkbox" checked=${adopting} onChange=${(e) => setAdopting(e.target.checked)} /> follow what is saved</label>
        <button type="button" class="main" disabled=${!s.changed || !s.loads} onClick=${adopt}>Follow the saved files</button><span role="status">${said}</span></section>
      <div class="split files"><nav class="card" aria-label="Files"><ul class="plainlist">${s.files.map((f) => { const wrong = s.problems.filter((p) => p.file === f.file && p.severity !== 'note').length; return html`<li><button type="button" class="link" aria-current=${shownFile && f.file === shownFile.file ? 'true' : null} onClick=${() => choose(f.file)}>${shown(f.file)}</button>${wrong > 0 && html` <span class="tag warn">${wrong}</span>`}</li>`; })}</ul></nav>
      <div class="card">${shownFile && html`<h3>${shown(shownFile.file)}</h3><${File} file=${shownFile} problems=${s.problems.filter((p) => p.file === shownFile.file)} />`}</div></div>`; }}<//>`;
}
