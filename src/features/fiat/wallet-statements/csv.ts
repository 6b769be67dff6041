import { declaredColumnsOf, headLine, rowLine } from '#kernel/http/declare/csv.ts';
import { StatementLineOfDays, shownEntry } from './shapes.ts';
import { statedAmount, type WalletStatement } from './statement.ts';

const COLUMNS = declaredColumnsOf(StatementLineOfDays);

/** A row for each entry between one with the opening balance and one with the closing balance. */
export async function* csvStatement({ head, entries }: WalletStatement): AsyncGenerator<string> {
  const balance = (type: string, units: bigint) =>
    rowLine(COLUMNS, { type, balance_after: statedAmount(head, units) });
  yield headLine(COLUMNS) + balance('opening', head.opening);
  for await (const page of entries())
    yield page.map((entry) => rowLine(COLUMNS, shownEntry(head, entry))).join('');
  yield balance('closing', head.closing);
}
