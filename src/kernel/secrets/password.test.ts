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
  const hash = await cheap.hash('secret');
  expect(hash).toContain('$m=8,t=1,p=1$');
  expect(await passwords.verify(hash, 'secret')).toBe(true);
  expect(await cheap.verify(await passwords.hash('secret'), 'secret')).toBe(true);
});

test('nobody has the password of a user who is not there, and one that is too long is not tried', async () => {
  for (const stored of [undefined, null])
    expect(await passwords.verify(stored, 'nobody has this password')).toBe(false);
  const long = 'x'.repeat(2049);
  expect(await passwords.verify(await passwords.hash(long), long)).toBe(false);
});
