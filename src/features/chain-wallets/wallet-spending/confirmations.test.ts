import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { done, refused, unknown } from '#kernel/effects/outcome.ts';
import { harness } from '#test/harness.ts';
import { withConfirmations } from './wallet-spending.ts';

const h = await harness();

test('what is mined is done with its confirmations, and unknown before', async () => {
  const { chains, keys } = h.app.evm;
  const send = () =>
    chains.neon.sender.execute({
      signer: keys.hot,
      to: keys.treasury.address,
      value: 1n,
      reference: randomUUID(),
      purpose: 'test',
    });
  // A node of our own calls everything final at once; others do not.
  const row = { ...(await send()), is_final: false };
  const deep = { ...chains.neon, confirmations: 3 };
  expect(await withConfirmations(deep, done(row))).toMatchObject({ kind: 'unknown' });
  await send();
  expect(await withConfirmations(deep, done(row))).toMatchObject({ kind: 'unknown' });
  await send();
  expect(await withConfirmations(deep, done(row))).toEqual(done(row));
  for (const other of [refused('NO', 'no'), unknown('who knows')])
    expect(await withConfirmations(deep, other)).toBe(other);
});
