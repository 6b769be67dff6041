import type { ReactNode } from 'react';
import { say } from '../words/say.ts';

export interface Column<R> {
  readonly head: string;
  readonly cell: (row: R) => ReactNode;
  /** Numbers, aligned below one another. */
  readonly isNumber?: boolean;
  /** Buttons, which need no visible heading. */
  readonly isAction?: boolean;
}

interface TableProps<R> {
  /** The subject of the list; read aloud, and not shown, where a heading before it has it. */
  readonly label: string;
  readonly rows: readonly R[];
  readonly columns: readonly Column<R>[];
  readonly keyOf: (row: R) => string | number;
  /** The text of an empty list. */
  readonly empty: string;
}

const kindOf = ({ isNumber, isAction }: Column<never>) =>
  (isNumber && 'number') || (isAction && 'action') || undefined;

/** A table; on a small screen each row is a card, with the headings beside its cells. */
export function Table<R>({ label, rows, columns, keyOf, empty }: TableProps<R>) {
  if (rows.length === 0) return <p className="empty">{say(empty)}</p>;
  return (
    <table>
      <caption className="unseen">{say(label)}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" className={kindOf(column)}>
              {column.isAction ? (
                <span className="unseen">{say(column.head)}</span>
              ) : (
                say(column.head)
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.head} className={kindOf(column)} data-head={say(column.head)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
