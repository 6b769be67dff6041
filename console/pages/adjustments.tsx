import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import {
  ADJUSTMENT_STATUSES,
  type Adjustment,
  type AdjustmentStatus,
} from '../adjustment-shapes.ts';
import { money } from '../amount.ts';
import { usePages } from '../data.ts';
import { Select } from '../ui/field.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { Propose } from './propose.tsx';

const STATUSES = [
  ['', 'All'],
  ...ADJUSTMENT_STATUSES.map((status) => [status, status] as const),
] as const;

/** Corrections of the ledger: one person proposes, another approves. */
export function AdjustmentsPage() {
  const { status } = useSearch({ from: '/adjustments' });
  const navigate = useNavigate();
  const query = { limit: 50, status: status as AdjustmentStatus | undefined };
  const found = usePages('GET /adjustments', query, ({ data }) => data.pagination.next_before);
  return (
    <Page title="Adjustments" beside={<Propose />}>
      <div className="filters">
        <Select
          label="Status"
          value={status ?? ''}
          options={STATUSES}
          onChoice={(choice) =>
            navigate({
              to: '/adjustments',
              search: choice ? { status: choice } : {},
              replace: true,
            })
          }
        />
      </div>
      <Loaded of={found}>
        {({ pages }) => (
          <Adjustments
            rows={pages.flatMap(({ data }) => data.adjustments)}
            empty={status ? `None is ${status}.` : 'Nothing has been proposed.'}
          />
        )}
      </Loaded>
      <More of={found} />
    </Page>
  );
}

interface Shown {
  readonly rows: readonly Adjustment[];
  readonly empty: string;
  readonly label?: string;
}

/** Each with a link to its own page, where it is decided. */
export const Adjustments = ({ rows, empty, label = 'Adjustments, newest first' }: Shown) => (
  <Table
    label={label}
    rows={rows}
    keyOf={({ adjustment_id }) => adjustment_id}
    empty={empty}
    columns={[
      { head: 'What', cell: (one) => <What one={one} /> },
      { head: 'Amount', isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
      { head: 'Why', cell: ({ reason }) => <span className="reason">{reason}</span> },
      { head: 'Proposed by', cell: ({ proposed_by }) => <Person id={proposed_by} /> },
      { head: 'Proposed', cell: ({ created_at }) => <When at={created_at} /> },
      { head: 'Status', cell: ({ status }) => <Tag word={status} /> },
      {
        head: 'Action',
        isAction: true,
        cell: ({ adjustment_id, status }) => (
          <Link
            className={`button ${status === 'PROPOSED' ? 'main' : 'plain'}`}
            to="/adjustments/$id"
            params={{ id: adjustment_id }}
          >
            {status === 'PROPOSED' ? 'Decide' : 'Open'}
          </Link>
        ),
      },
    ]}
  />
);

const What = ({ one: { kind, of, direction, wallet_id } }: { one: Adjustment }) => (
  <>
    <strong>{kind}</strong>
    <br />
    {of === null ? `${direction} of wallet ${wallet_id}` : <Ident id={of} search />}
  </>
);
