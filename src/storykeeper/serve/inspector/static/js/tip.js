// What is pointed at, or reached by keyboard, in words: what a title says to a mouse alone.

import { html, useEffect, useState } from './base.js';

const words = (of) => of.getAttribute('title') || (of.closest('svg') && of.getAttribute('aria-label')) || '';

export function Tip() {
  const [tip, set] = useState(null);
  useEffect(() => {
    const reached = (event) => {
      const of = event.target.closest('[title], svg [aria-label]');
      const said = of && event.target.matches(':focus-visible') ? words(of) : '';
      if (!said) { set(null); return; }
      const box = of.getBoundingClientRect();
      const above = box.bottom > innerHeight - 120;
      set({ said, x: Math.max(8, Math.min(box.left, innerWidth - 330)), y: above ? box.top - 8 : box.bottom + 8, above });
    };
    const left = () => set(null);
    const key = (event) => { if (event.key === 'Escape') set(null); };
    document.addEventListener('focusin', reached);
    document.addEventListener('focusout', left);
    document.addEventListener('scroll', left, true);
    document.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('focusin', reached);
      document.removeEventListener('focusout', left);
      document.removeEventListener('scroll', left, true);
      document.removeEventListener('keydown', key);
    };
  }, []);
  return tip && html`<div class="tip" aria-hidden="true" style=${{ left: `${tip.x}px`, top: `${tip.y}px`, transform: tip.above ? 'translateY(-100%)' : 'none' }}>${tip.said}</div>`;
}
