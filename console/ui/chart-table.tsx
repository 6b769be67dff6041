import { saveCsv } from '../csv.ts';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import type { ChartProps } from './chart.tsx';
import { Table } from './table.tsx';

/** The numbers of a chart, newest first, also as a file. */
export function ChartTable({ title, series, points }: ChartProps) {
  const rows = points.toReversed();
  const heads = [say('Day (UTC)'), ...series.map(({ name }) => name)];
  const save = () => saveCsv(title, [heads, ...points.map(({ at, texts }) => [at, ...texts])]);
  return (
    <>
      <Table
        label={title}
        rows={rows}
        keyOf={({ at }) => at}
        empty=""
        columns={[
          { head: heads[0] ?? '', cell: ({ at }) => at },
          ...series.map(({ name }, n) => ({
            head: name,
            isNumber: true,
            cell: ({ texts }: { readonly texts: readonly string[] }) => texts[n],
          })),
        ]}
      />
      <Button look="quiet" onClick={save}>
        Save as CSV
      </Button>
    </>
  );
}
