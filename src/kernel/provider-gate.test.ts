import { expect, test } from 'vitest';
import { createLog } from '#kernel/log.ts';
import { done, type Outcome } from '#kernel/provider-call.ts';
import { gate } from './provider-gate.ts';

interface Bank {
  pay(amount: number): Promise<Outcome<string>>;
  find(name: string): Promise<Outcome<string>>;
  name(): string;
}
const called: string[] = [];
const bank: Bank = {
  async pay() {
    called.push('pay');
    return done('paid');
  },
  async find() {
    called.push('find');
    return done('found');
  },
  name: () => 'Bank',
};
const lines: string[] = [];
const log = createLog('info', { write: (line) => void lines.push(line) });
const kinds = { log, acts: ['pay'], local: ['name'] } as const;

test('a provider that lacks a setting is never called: acts are refused, questions stay open', async () => {
  const status = { state: 'not configured', address: 'PSP_A_URL', lacking: ['PSP_A_KEY'] } as const;
  const gated = gate(bank, 'bank', status, kinds);
  expect(await gated.pay(1)).toMatchObject({ kind: 'refused', code: 'NOT_CONFIGURED' });
  expect(await gated.find('x')).toEqual({ kind: 'unknown', cause: 'NOT_CONFIGURED' });
  expect(gated.name()).toBe('Bank');
  expect(called).toEqual([]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { provider: 'bank', call: 'pay', settings: ['PSP_A_KEY'] },
    { provider: 'bank', call: 'find', settings: ['PSP_A_KEY'] },
  ]);
});

test('one that lacks none is itself', () => {
  const status = { state: 'configured', address: 'PSP_A_URL', lacking: [] } as const;
  expect(gate(bank, 'bank', status, kinds)).toBe(bank);
});
