import { hash } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { createPasswords } from './password.ts';

const passwords = createPasswords();

test('a password is hashed as OWASP asks for, with a salt of its own', async () => {
  const [one, other] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(other).not.toBe(one);
  expect(await passwords.verify(one, 'secret')).toBe(true);
  expect(await passwords.verify(one, 'Secret')).toBe(false);
});

test('a hash keeps the cost that it was made at, whatever others cost now', async () => {
  const cheap = createPasswords({ memoryCost: 8, timeCost: 1 });
  const made = await cheap.hash('secret');
  expect(made).toContain('$m=8,t=1,p=1$');
  expect(await passwords.verify(made, 'secret')).toBe(true);
  expect(await cheap.verify(await passwords.hash('secret'), 'secret')).toBe(true);
});

const quick = createPasswords({ memoryCost: 8, timeCost: 1 });

test('a password is one however its letters are composed, and in whatever spaces', async () => {
  const hash = await quick.hash('Café crème');
  for (const same of ['Café crème', 'Cafe\u0301 cre\u0300me', 'Café\u00a0crème'])
    expect(await quick.verify(hash, same), same).toBe(true);
  for (const other of ['Cafe creme', 'CAFÉ CRÈME', 'Café  crème', 'Ｃafé crème'])
    expect(await quick.verify(hash, other), other).toBe(false);
});

test('a password from before they were composed is still right, in either form', async () => {
  const options = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  for (const stored of ['Cafe\u0301', 'Café', 'Café\u00a0crème'.normalize('NFD')]) {
    const before = await hash(stored, options);
    expect(await quick.verify(before, stored)).toBe(true);
    expect(await quick.verify(before, stored.normalize('NFC'))).toBe(true);
    expect(await quick.verify(before, `${stored}x`)).toBe(false);
  }
});

test('nobody has the password of a user who is not there, and one that is too long is not tried', async () => {
  for (const stored of [undefined, null])
    expect(await passwords.verify(stored, 'nobody has this password')).toBe(false);
  const long = 'x'.repeat(2049);
  expect(await passwords.verify(await passwords.hash(long), long)).toBe(false);
});
