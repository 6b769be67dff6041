import { expect, test } from 'vitest';
import { linkLine, ours } from '#kernel/wording.ts';
import { messageContent } from './body.ts';

const words = {
  en: { subject: 'Hello', text: ['Good day.', linkLine('https://a.example/', 'Open')] },
  id: { subject: 'Halo', text: ['Selamat siang.', ours('Kata sandi: x1')] },
};

test('a reader gets the language that they have chosen, else the one of the request', () => {
  const inEnglish = { words, language: 'en' } as const;
  expect(messageContent(inEnglish, 'sms', null)).toEqual({
    subject: 'Hello',
    text: 'Good day.\nLink: https://a.example/',
  });
  expect(messageContent(inEnglish, 'sms', 'id').text).toBe('Selamat siang.\nKata sandi: x1');
  expect(messageContent({ words, language: 'id' }, 'sms', null).subject).toBe('Halo');
  expect(messageContent({ words, language: 'id' }, 'sms', 'en').subject).toBe('Hello');
});

test('a stranger gets both languages, and one who has chosen gets that one', () => {
  const both = { words, language: 'both' } as const;
  expect(messageContent(both, 'sms', null)).toEqual({
    subject: 'Hello · Halo',
    text: 'Good day.\nLink: https://a.example/\n\nSelamat siang.\nKata sandi: x1',
  });
  expect(messageContent(both, 'sms', 'id').subject).toBe('Halo');
});

test('a mail says its language to screen readers, and shows a password large in either', () => {
  const { html } = messageContent({ words, language: 'id' }, 'email', null);
  expect(html).toContain('<html lang="id">');
  expect(html).toMatch(/Kata sandi<\/span>\n<span class="value"[^>]*>x1</);
  expect(messageContent({ words, language: 'en' }, 'email', null).html).toContain(
    '<html lang="en">',
  );
});

test('what an earlier version has sealed is sent as it is', () => {
  const sealed = { subject: 'Hello', text: 'Good day.', html: '<p>Good day.</p>' };
  expect(messageContent(sealed, 'email', 'id')).toEqual(sealed);
});
