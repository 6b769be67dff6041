import { Link } from '@tanstack/react-router';
import { money } from '../amount.ts';
import { useItems } from '../data.ts';
import type { Batch } from '../money-shapes.ts';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { PaymentTable } from './payments.tsx';

/** Money that goes out: batches of payments, and each payment to a bank, a card or a chain. */
export function PayoutsPage() {
  const batches = useItems('GET /batches', { limit: 20 });
  const out = useItems('GET /payments', { direction: 'out', limit: 50 });
  return (
    <Page title="Payouts" beside={<Link to="/approvals">{say('Approvals')}</Link>}>
      <Part title="Batches">
        <Loaded of={batches}>
          {({ pages }) => <Batches rows={pages.flatMap(({ data }) => data.items)} />}
        </Loaded>
        <More of={batches} />
      </Part>
      <Part title="Payments that go out">
        <Loaded of={out}>
          {({ pages }) => (
            <PaymentTable
              rows={pages.flatMap(({ data }) => data.items)}
              empty={out.hasNextPage ? 'None so far: the list goes on.' : 'Nothing has gone out.'}
            />
          )}
        </Loaded>
        <More of={out} />
      </Part>
    </Page>
  );
}

const Batches = ({ rows }: { rows: readonly Batch[] }) => (
  <Table
    label="Batches, newest first"
    rows={rows}
    keyOf={({ batch_id }) => batch_id}
    empty="There is no batch yet."
    columns={[
      { head: 'Name', cell: ({ name }) => <strong>{name}</strong> },
      { head: 'Made', cell: ({ created_at }) => <When at={created_at} /> },
      { head: 'Payments', isNumber: true, cell: ({ count }) => count },
      { head: 'Total', isNumber: true, cell: ({ total, currency }) => money(total, currency) },
      { head: 'Status', cell: (one) => <BatchState one={one} /> },
      {
        head: 'Action',
        isAction: true,
        cell: ({ batch_id }) => (
          <Link className="button plain" to="/payouts/$id" params={{ id: batch_id }}>
            {say('Open')}
          </Link>
        ),
      },
    ]}
  />
);

export const BatchState = ({ one }: { one: Batch }) => (
  <>
    <Tag word={one.status} />
    <p className="soft">
      {say('{done} done, {failed} failed, {back} came back', {
        done: one.completed_count,
        failed: one.failed_count,
        back: one.returned_count,
      })}
    </p>
  </>
);
