import { Link, useSearch } from '@tanstack/react-router';
import { money } from '../amount.ts';
import { useItems } from '../data.ts';
import type { Payment } from '../payment-shapes.ts';
import { Export } from '../ui/export.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { PaymentFilters, queryOf } from './payment-filters.tsx';

/** Every movement of money over every rail: of every client, or of the reader's own. */
export function PaymentsPage() {
  const search = useSearch({ from: '/payments' });
  const found = useItems('GET /payments', queryOf(search));
  // A page looks through so many payments at most.
  const empty = found.hasNextPage ? 'None so far: the list goes on.' : 'There is no such payment.';
  return (
    <Page title="Payments">
      <PaymentFilters />
      <Loaded of={found}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data.items);
          return (
            <>
              <Export name="payments" names={EXPORTED} rows={rows} />
              <PaymentTable rows={rows} empty={empty} />
            </>
          );
        }}
      </Loaded>
      <More of={found} />
    </Page>
  );
}

const EXPORTED = [
  ...(['payment_id', 'created_at', 'rail', 'kind', 'direction', 'amount', 'currency'] as const),
  ...(['fee', 'user_id', 'reference', 'our_reference', 'provider_reference', 'status'] as const),
] as const;

/** Rows of payments, of whichever list. */
export const PaymentTable = ({ rows, empty }: { rows: readonly Payment[]; empty: string }) => (
  <Table
    label="Payments, newest first"
    rows={rows}
    keyOf={({ payment_id }) => payment_id}
    empty={empty}
    columns={[
      { head: 'When', cell: ({ created_at }) => <When at={created_at} /> },
      { head: 'What', cell: (one) => <What one={one} /> },
      { head: 'Amount', isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
      { head: 'Person', cell: ({ user_id }) => <Whose user_id={user_id} /> },
      { head: 'Other side', cell: ({ counterparty }) => <OtherSide of={counterparty} /> },
      { head: 'References', cell: (one) => <References one={one} /> },
      { head: 'Status', cell: (one) => <Standing one={one} /> },
      {
        head: 'Action',
        isAction: true,
        cell: ({ payment_id }) => (
          <Link className="button plain" to="/payments/$id" params={{ id: payment_id }}>
            {say('Open')}
          </Link>
        ),
      },
    ]}
  />
);

const What = ({ one: { rail, kind, direction } }: { one: Payment }) => (
  <>
    <strong>{rail}</strong> {kind.replaceAll('_', ' ')}
    <p className="soft">{direction}</p>
  </>
);

const Whose = ({ user_id }: Pick<Payment, 'user_id'>) =>
  user_id === null ? <span className="soft">none</span> : <Person id={user_id} />;

/** A name, and the ends of an account or address. */
export const OtherSide = ({ of: { name, detail } }: { of: Payment['counterparty'] }) =>
  name === null && detail === null ? (
    <span className="soft">none</span>
  ) : (
    <>
      {name} {detail && <code>{detail}</code>}
    </>
  );

const References = ({ one: { reference, our_reference } }: { one: Payment }) => (
  <>
    <Ident id={our_reference} search />
    {reference !== null && (
      <p className="soft">
        caller’s: <Ident id={reference} />
      </p>
    )}
  </>
);

/** Its status, and what it waits for. */
export const Standing = ({ one: { status, substatus, failure } }: { one: Payment }) => (
  <>
    <Tag word={status} />
    {(substatus ?? failure?.code) && (
      <p className="soft">{(substatus ?? failure?.code)?.replaceAll('_', ' ')}</p>
    )}
  </>
);
