import { saveCsv } from '../csv.ts';
import { Button } from './button.tsx';

interface ExportProps<R> {
  readonly name: string;
  readonly names: readonly (keyof R & string)[];
  readonly rows: readonly R[];
}

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** Hands over the rows that are shown as a file: amounts as plain decimals, times in UTC. */
export const Export = <R,>({ name, names, rows }: ExportProps<R>) =>
  rows.length > 0 && (
    <p className="export">
      <Button
        onClick={() =>
          saveCsv(name, [names, ...rows.map((row) => names.map((one) => textOf(row[one])))])
        }
      >
        Save as CSV
      </Button>
    </p>
  );
