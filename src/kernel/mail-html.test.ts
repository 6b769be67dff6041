import { expect, test } from 'vitest';
import { htmlOf } from './mail-html.ts';
import { linkLine, ours } from './wording.ts';

const LURE = '<img src=x onerror=alert(1)> www.evil.example/pay & "co"';

test('what others chose is text without tags and links, in the title as in the lines', () => {
  const html = htmlOf(LURE, [`Hello ${LURE},`, '', `Shop: ${LURE}`, `- ${LURE}`]);
  expect(html).not.toMatch(/<img|<a /);
  expect(html.slice(html.indexOf('</h1>'))).not.toContain('www.evil');
  expect(html).toContain('&#60;img');
});

test('a link is a button that says what it does, and nothing is loaded from anywhere', () => {
  const html = htmlOf('Welcome', [linkLine('https://a.example/?b=1&c=2', 'Confirm <it>')]);
  expect(html).toMatch(
    /<a class="button" href="https:\/\/a.example\/\?b=1&#38;c=2"[^>]*>Confirm &#60;it&#62;<\/a>/,
  );
  expect(html.match(/https?:\/\//g)).toHaveLength(1);
  expect(html).not.toMatch(/<(?:img|script|link|iframe|form)|url\(|@import/);
});

test('passwords and codes stand out, and sentences go on over lines', () => {
  const html = htmlOf('Code', ['One two', 'three.', ours('Code: 123456'), 'Price: 1', 'Paid: 2']);
  expect(html).toContain('>One two three.</p>');
  expect(html).toMatch(/class="value"[^>]*>123456<\/span>/);
  expect(html).toContain('Price: 1<br>Paid: 2');
});
