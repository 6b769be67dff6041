import { expect, test } from 'vitest';
import { createLog } from '#kernel/log.ts';
import { createCallbacks } from './callbacks.ts';
import { createFaults } from './faults.ts';

const open = () => createCallbacks({ faults: createFaults(), log: createLog('silent') });
/** Nobody listens there, and nobody is asked. */
const callback = { url: 'http://127.0.0.1:1/', body: '' };

test('a call-back that cannot be made is not taken, and rejects nobody', async () => {
  const callbacks = open();
  const broken = async () => {
    throw new Error('the database is away');
  };
  expect(await callbacks.deliver('bank', broken)).toBe(false);
  await callbacks.close();
});

test('what is still being made is waited for at the end and not sent, and nothing is made after it', async () => {
  const callbacks = open();
  const held = Promise.withResolvers<void>();
  let made = 0;
  const slow = async () => {
    await held.promise;
    made += 1;
    return callback;
  };
  const delivered = callbacks.deliver('bank', slow);
  let isClosed = false;
  const closed = callbacks.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  held.resolve();
  await closed;
  expect(made).toBe(1);
  expect(await delivered).toBe(false);
  expect(await callbacks.deliver('bank', slow)).toBe(false);
  expect(made).toBe(1);
});
