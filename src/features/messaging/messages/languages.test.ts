import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { mailTo } from '#test/mails.ts';

/** Which language a message has, from the request to what its reader gets. */
const h = await harness();
const INDONESIAN = { 'accept-language': 'id-ID,id;q=0.9,en;q=0.5' };

const signUp = (email: string, headers: Readonly<Record<string, string>> = {}) =>
  h.call('POST /clients/create_with_admin', {
    headers,
    body: {
      email,
      client_alias: email.slice(0, email.indexOf('@')),
      client_type: 'BUSINESS',
      country_code: 'SG',
      phone: '+6561234567',
    },
  });

test('a message has the language of the request where its reader has chosen none', async () => {
  await signUp('in-english@example.test');
  await signUp('berbahasa@example.test', INDONESIAN);
  expect((await mailTo(h, 'in-english@example.test')).subject).toMatch(/^Welcome/);
  const mail = await mailTo(h, 'berbahasa@example.test');
  expect(mail.subject).toMatch(/^Selamat datang/);
  expect(mail.text).toMatch(/^Kata sandi: \S+$/m);
});

test('the language that a person has chosen wins over the one of the request', async () => {
  const [id, en] = [await h.user(), await h.user()];
  await h.call('PATCH /profile', { as: id, body: { locale: 'id' } });
  await h.call('PATCH /profile', { as: en, body: { locale: 'en' } });
  for (const { email } of [id, en])
    await h.call('POST /password/request_reset', { headers: INDONESIAN, body: { email } });
  expect((await mailTo(h, id.email, /Archipay/)).subject).toBe(
    'Atur ulang kata sandi Archipay Anda',
  );
  expect((await mailTo(h, en.email, /Archipay/)).subject).toBe('Reset your Archipay password');
});

test('a job remembers the language of the request that it answers', async () => {
  const { email } = await h.user();
  await h.call('POST /password/request_reset', { headers: INDONESIAN, body: { email } });
  expect((await mailTo(h, email, /Archipay/)).subject).toMatch(/^Atur ulang/);
});

test('what the service says by itself has the language of the person', async () => {
  const as = await h.user();
  await h.call('PATCH /profile', { as, body: { locale: 'id' } });
  const body = { current_password: as.password, new_password: 'sebuah kata sandi baru' };
  expect((await h.call('POST /profile/password', { as, body }))[0]).toBe(200);
  expect((await mailTo(h, as.email)).subject).toBe('Kata sandi Archipay Anda diubah');
});

test('codes by SMS are in the language of the app that asks', async () => {
  const phone = '+6281455500001';
  const body = { phone_number: phone, purpose: 'login', channel: 'sms' };
  await h.call('POST /xotp/request', { headers: INDONESIAN, body });
  await h.drain();
  const texts = (await h.messages(phone)).map(({ text }) => text);
  expect(texts.join()).toMatch(/^Kode verifikasi Anda, berlaku 5 menit:\nCode: \d{6}$/m);
});

test('pages for people come in the language of their browser', async () => {
  const read = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await fetch(`${h.kernel.publicUrl()}${path}`, { headers })).text();
  for (const [path, en, id] of [
    ['/forgotten-password', 'Send me a link', 'Kirim tautan'],
    ['/reset-password?token=x', 'Ask for a new one', 'Minta tautan baru'],
    ['/confirm-change?token=x', 'does not work any more', 'tidak berlaku lagi'],
    ['/confirm-address?token=x', 'Send a new link', 'Kirim tautan baru'],
    ['/accept-tos', 'This link is not whole', 'Tautan ini tidak lengkap'],
    ['/login', 'Forgotten your password?', 'Lupa kata sandi?'],
  ] as const) {
    expect(await read(path), path).toContain(en);
    const page = await read(path, INDONESIAN);
    expect(page, path).toContain(id);
    expect(page, path).toContain('<html lang="id">');
  }
});
