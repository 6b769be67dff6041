import { fillPayments } from '../src/kernel/payment-list/fill-payments.ts';
import { besideService, printTable } from './beside.ts';

/**
 * Writes the payments of things that were made before there was a list of them, beside the running service or without
 * it. It may be killed and run again, and repairs payments that differ from their things.
 */

await besideService(async ({ kernel, features }) => {
  const sources = new Map(features.payments.map(({ source }) => [source.view, source]));
  const filled: object[] = [];
  for (const source of sources.values())
    filled.push({ source: source.view, ...(await fillPayments(kernel.db, source)) });
  printTable('payments', filled);
});
