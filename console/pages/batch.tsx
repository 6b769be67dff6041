import { Link, useParams } from '@tanstack/react-router';
import { money } from '../amount.ts';
import { SOON_MS, useAsk, useChange, useItems, useMe } from '../data.ts';
import type { Batch, BatchItem } from '../money-shapes.ts';
import { Act } from '../ui/act.tsx';
import { Export } from '../ui/export.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { BatchState } from './payouts.tsx';

/** One batch with all its payments. */
export function BatchPage() {
  const { id: batch_id } = useParams({ from: '/payouts/$id' });
  const params = { batch_id };
  const found = useAsk('GET /batches/{batch_id}', { params }, { every: SOON_MS });
  const items = useItems('GET /batches/{batch_id}/items', { limit: 100 }, params);
  return (
    <Page title="Batch" beside={<Link to="/payouts">{say('All payouts')}</Link>}>
      <Loaded of={found}>{({ data }) => <Facts one={data} />}</Loaded>
      <Part title="Payments of the batch">
        <Loaded of={items}>
          {({ pages }) => <Items rows={pages.flatMap(({ data }) => data.items)} />}
        </Loaded>
        <More of={items} />
      </Part>
    </Page>
  );
}

const Facts = ({ one }: { one: Batch }) => (
  <>
    <dl className="facts wide">
      <dt>{say('Name')}</dt>
      <dd>{one.name}</dd>
      <dt>{say('Status')}</dt>
      <dd>
        <BatchState one={one} />
      </dd>
      <dt>{say('Total')}</dt>
      <dd>
        <strong>{money(one.total, one.currency)}</strong>
      </dd>
      <dt>{say('Fees')}</dt>
      <dd>{money(one.fees, one.currency)}</dd>
      <dt>{say('Paid by')}</dt>
      <dd>
        <Person id={one.user_id} />
      </dd>
      {one.submitted_by !== null && (
        <>
          <dt>{say('Submitted by')}</dt>
          <dd>
            <Person id={one.submitted_by} />
          </dd>
        </>
      )}
      {one.executes_at && (
        <>
          <dt>{say('Goes out')}</dt>
          <dd>
            <When at={one.executes_at} />
          </dd>
        </>
      )}
      <dt>{say('Content')}</dt>
      <dd>
        <code className="long">{one.content_hash}</code>
      </dd>
    </dl>
    <Cancel one={one} />
  </>
);

/** States in which nothing of it has gone out. */
const OPEN = ['DRAFT', 'PENDING_APPROVAL', 'SCHEDULED'];

function Cancel({ one: { batch_id, status, name } }: { one: Batch }) {
  const { data: me } = useMe();
  const { mutateAsync } = useChange('POST /batches/{batch_id}/cancel');
  if (!me?.may.includes('payouts:write') || !OPEN.includes(status)) return null;
  return (
    <div className="decide buttons">
      <Act
        verb="Cancel the batch"
        title={name}
        done="The batch is cancelled"
        danger
        onDo={() => mutateAsync({ params: { batch_id }, body: {} })}
      >
        <p>{say('Nothing of it goes out, and what was held is free again.')}</p>
      </Act>
    </div>
  );
}

const NAMES = ['line', 'reference', 'amount', 'currency', 'fee', 'status', 'payment_id'] as const;

const Items = ({ rows }: { rows: readonly BatchItem[] }) => (
  <>
    <Export name="batch" names={NAMES} rows={rows} />
    <Table
      label="Payments of the batch"
      rows={rows}
      keyOf={({ item_id }) => item_id}
      empty="The batch is empty."
      columns={[
        { head: 'Line', isNumber: true, cell: ({ line }) => line },
        { head: 'Reference', cell: ({ reference }) => <Ident id={reference} /> },
        { head: 'Amount', isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
        { head: 'Fee', isNumber: true, cell: ({ fee, currency }) => money(fee, currency) },
        {
          head: 'Status',
          cell: ({ status, failure }) => (
            <>
              <Tag word={status} />
              {failure && <p className="fault">{failure.message}</p>}
            </>
          ),
        },
        {
          head: 'Action',
          isAction: true,
          cell: ({ payment_id }) =>
            payment_id && (
              <Link className="button plain" to="/payments/$id" params={{ id: payment_id }}>
                {say('Open')}
              </Link>
            ),
        },
      ]}
    />
  </>
);
