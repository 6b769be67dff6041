import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { money } from '../amount.ts';
import { useAsk } from '../data.ts';
import { bestDay, type CurrencyFigures, figuresOf } from '../figures.ts';
import type { PaymentFigures } from '../money-shapes.ts';
import { Chart, type Point } from '../ui/chart.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { say } from '../words/say.ts';

/** The operator's: of all clients, or of one. */
export function FiguresPage() {
  const { client_id } = useSearch({ from: '/figures' });
  const navigate = useNavigate();
  return (
    <Page title="Figures">
      <div className="filters">
        <Form
          key={client_id}
          send="Show"
          onSend={({ client_id: wanted }) =>
            navigate({ to: '/figures', search: wanted ? { client_id: wanted } : {}, replace: true })
          }
        >
          <Field
            label="Client’s number"
            hint="Without it of all clients; the last minute may be missing."
            name="client_id"
            inputMode="numeric"
            pattern="[1-9][0-9]*"
            defaultValue={client_id}
          />
        </Form>
      </div>
      <Figures {...(client_id && { client_id: Number(client_id) })} />
    </Page>
  );
}

/** Thirty days of payments, one currency at a time: sums over currencies say nothing. */
export function Figures({ client_id }: { client_id?: number }) {
  const query = client_id === undefined ? {} : { client_id };
  const found = useAsk('GET /payment-figures', { query }, { every: 60_000 });
  return (
    <Part title="Payments of the last 30 days">
      <Loaded of={found}>{({ data }) => <OfCurrency data={data} />}</Loaded>
    </Part>
  );
}

function OfCurrency({ data }: { data: PaymentFigures }) {
  const all = figuresOf(data);
  const [wanted, choose] = useState('');
  const chosen = all.find(({ currency }) => currency === wanted) ?? all[0];
  if (!chosen) return <p className="empty">{say('There was no payment in these days.')}</p>;
  return (
    <>
      {all.length > 1 && (
        <div className="filters">
          <Select
            label="Currency"
            value={chosen.currency}
            options={all.map(({ currency }) => [currency, currency] as const)}
            onChoice={choose}
          />
        </div>
      )}
      <div className="charts" key={chosen.currency}>
        <Volume of={chosen} />
        <Success of={chosen} />
      </div>
      {data.failures.length > 0 && <Failures of={data} />}
    </>
  );
}

function Volume({ of: { currency, days, received } }: { of: CurrencyFigures }) {
  const best = bestDay(days);
  const amount = (units: string) => money(units, currency);
  const points: Point[] = days.map(({ day, arrived, amounts }) => ({
    at: day,
    heights: [arrived.in, arrived.out],
    texts: [amount(amounts.in), amount(amounts.out)],
  }));
  return (
    <Chart
      title={say('Volume, {currency}', { currency })}
      sentence={say('{count} payments were received, {sum} in all; most on {day}.', {
        count: received.count,
        sum: amount(received.sum),
        day: best,
      })}
      series={[
        { name: say('received'), look: 'bars' },
        { name: say('paid out'), look: 'dashed' },
      ]}
      points={points}
      tick={short}
    />
  );
}

function Success({ of: { currency, days, count, failed } }: { of: CurrencyFigures }) {
  const points: Point[] = days.map(({ day, succeeded, failed: lost }) => {
    const all = succeeded + lost;
    const rate = all === 0 ? null : (succeeded / all) * 100;
    const text = rate === null ? say('no payment') : `${rate.toFixed(1)} % (${succeeded}/${all})`;
    return { at: day, heights: [rate], texts: [text] };
  });
  const rate = count + failed === 0 ? 100 : (count / (count + failed)) * 100;
  return (
    <Chart
      title={say('Success rate, {currency}', { currency })}
      sentence={say('{rate} % of the payments that ended arrived; {failed} failed.', {
        rate: rate.toFixed(1),
        failed,
      })}
      series={[{ name: say('arrived of all that ended'), look: 'line' }]}
      points={points}
      tick={(height) => `${height} %`}
      top={100}
    />
  );
}

const UNITS = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** `4.2k` on an axis, where the table has all digits. */
function short(height: number): string {
  const [size, unit] = UNITS.find(([least]) => height >= least) ?? [1, ''];
  return `${Number((height / size).toFixed(1))}${unit}`;
}

const Failures = ({ of: { failures } }: { of: PaymentFigures }) => (
  <Part title="Commonest failures">
    <Table
      label="Commonest codes of failures, of all currencies"
      rows={failures}
      keyOf={({ code }) => code}
      empty=""
      columns={[
        { head: 'Code', cell: ({ code }) => <code>{code}</code> },
        { head: 'Payments', isNumber: true, cell: ({ count }) => count },
        {
          head: 'Action',
          isAction: true,
          cell: () => (
            <Link className="button plain" to="/payments" search={{ status: 'FAILED' }}>
              {say('Look at failed payments')}
            </Link>
          ),
        },
      ]}
    />
  </Part>
);
