import { useNavigate, useSearch } from '@tanstack/react-router';
import {
  PAYMENT_FILTERS,
  PAYMENT_STATUSES,
  type PaymentQuery,
  type PaymentSearch,
} from '../payment-shapes.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { type Filled, Form } from '../ui/form.tsx';

/** What the list is asked with: days of the address are days in UTC, as all times here. */
export const queryOf = ({
  user_id,
  wallet_id,
  ...search
}: PaymentSearch): Omit<PaymentQuery, 'cursor'> => ({
  limit: 50,
  ...(search as Omit<PaymentQuery, 'user_id' | 'wallet_id'>),
  ...((search.created_from ?? search.created_to) && { time_zone: 'UTC' }),
  ...(user_id && { user_id: Number(user_id) }),
  ...(wallet_id && { wallet_id: Number(wallet_id) }),
});

/** Those in the fold below the search. */
const FOLDED = PAYMENT_FILTERS.filter((name) => name !== 'q' && name !== 'status');

/** One search by any name of a payment, and every filter of the list; the address holds them. */
export function PaymentFilters() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/payments' });
  const show = (wanted: Filled) =>
    navigate({
      to: '/payments',
      search: Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== '')),
      replace: true,
    });
  return (
    <div className="filters">
      <Form
        // Another address fills the fields anew.
        key={JSON.stringify(search)}
        send="Show"
        onSend={show}
        beside={
          Object.keys(search).length > 0 && <Button onClick={() => show({})}>Show all</Button>
        }
      >
        <Field
          label="Any name of it"
          name="q"
          type="search"
          defaultValue={search.q}
          placeholder="Id, reference, hash, number"
          maxLength={200}
        />
        <Select
          label="Status"
          name="status"
          defaultValue={search.status ?? ''}
          options={[['', 'All'], ...PAYMENT_STATUSES.map((status) => [status, status] as const)]}
        />
        <details className="folded" open={FOLDED.some((name) => search[name] !== undefined)}>
          <summary>More filters</summary>
          <div className="fields">
            <Folded search={search} />
          </div>
        </details>
      </Form>
    </div>
  );
}

const NUMBER = { inputMode: 'numeric', pattern: '[1-9][0-9]*' } as const;
const AMOUNT = { inputMode: 'decimal', pattern: '[0-9]+([.][0-9]+)?' } as const;

const Folded = ({ search }: { search: PaymentSearch }) => (
  <>
    <Select
      label="Waits for"
      name="substatus"
      defaultValue={search.substatus ?? ''}
      options={[
        ['', 'Anything'],
        ['in_doubt', 'An unknown outcome'],
        ['waiting_for_provider', 'The provider'],
        ['waiting_for_approval', 'Approval'],
        ['stalled', 'A person: it has stalled'],
      ]}
    />
    <Select
      label="Calls"
      name="in_doubt"
      defaultValue={search.in_doubt ?? ''}
      options={[
        ['', 'All'],
        ['true', 'One is in doubt'],
      ]}
    />
    <Select
      label="Direction"
      name="direction"
      defaultValue={search.direction ?? ''}
      options={[
        ['', 'All'],
        ['in', 'In'],
        ['out', 'Out'],
        ['internal', 'Internal'],
      ]}
    />
    <Field label="Rail" name="rail" defaultValue={search.rail} placeholder="card" maxLength={40} />
    <Field
      label="Currency"
      name="currency"
      defaultValue={search.currency}
      placeholder="USD"
      maxLength={20}
    />
    <Field label="From amount" name="amount_from" defaultValue={search.amount_from} {...AMOUNT} />
    <Field label="To amount" name="amount_to" defaultValue={search.amount_to} {...AMOUNT} />
    <Field
      label="From day (UTC)"
      name="created_from"
      type="date"
      defaultValue={search.created_from}
    />
    <Field label="To day (UTC)" name="created_to" type="date" defaultValue={search.created_to} />
    <Field label="Person’s number" name="user_id" defaultValue={search.user_id} {...NUMBER} />
    <Field label="Wallet’s number" name="wallet_id" defaultValue={search.wallet_id} {...NUMBER} />
    <Field
      label="Reference, caller’s or ours"
      name="reference"
      defaultValue={search.reference}
      maxLength={200}
    />
    <Field
      label="Provider’s reference"
      name="provider_reference"
      defaultValue={search.provider_reference}
      maxLength={200}
    />
  </>
);
