import { Link, useParams } from '@tanstack/react-router';
import { money } from '../amount.ts';
import { SOON_MS, useAsk, useChange, useItems, useMe } from '../data.ts';
import type { Invoice, InvoiceRefund } from '../money-shapes.ts';
import { Act } from '../ui/act.tsx';
import { Field } from '../ui/field.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';

/** One invoice, with what was given back of it. */
export function InvoicePage() {
  const { id: invoice_id } = useParams({ from: '/invoices/$id' });
  const params = { invoice_id };
  const id = 'GET /payment-gateway/invoices/{invoice_id}';
  const found = useAsk(id, { params }, { every: SOON_MS });
  const refunds = useItems(`${id}/refunds`, { limit: 50 }, params);
  return (
    <Page title="Invoice" beside={<Link to="/invoices">{say('All invoices')}</Link>}>
      <Loaded of={found}>
        {({ data }) => (
          <>
            <Facts one={data} />
            <Acts one={data} />
          </>
        )}
      </Loaded>
      <Part title="Refunds">
        <Loaded of={refunds}>
          {({ pages }) => <Refunds rows={pages.flatMap(({ data }) => data.items)} />}
        </Loaded>
      </Part>
    </Page>
  );
}

const Facts = ({ one }: { one: Invoice }) => (
  <dl className="facts wide">
    <dt>{say('Status')}</dt>
    <dd>
      <Tag word={one.status} />
    </dd>
    <dt>{say('What')}</dt>
    <dd>{one.description}</dd>
    <dt>{say('Amount')}</dt>
    <dd>
      <strong>{money(one.amount, one.currency)}</strong>
    </dd>
    <dt>{say('Paid')}</dt>
    <dd>{money(one.paid_amount, one.currency)}</dd>
    <dt>{say('Given back')}</dt>
    <dd>{money(one.refunded_amount, one.currency)}</dd>
    <dt>{say('Page for the payer')}</dt>
    <dd>
      <Ident id={one.checkout_url} />
    </dd>
    <dt>{say('Ends')}</dt>
    <dd>
      <When at={one.expires_at} />
    </dd>
    <dt>{say('Id')}</dt>
    <dd>
      <Ident id={one.invoice_id} search />
    </dd>
  </dl>
);

/** What the state and the reader's role allow. */
function Acts({ one }: { one: Invoice }) {
  const { data: me } = useMe();
  const cancel = useChange('POST /payment-gateway/invoices/{invoice_id}/cancel');
  const { invoice_id, status, description } = one;
  const isPaid = /[1-9]/.test(one.paid_amount) && one.paid_amount !== one.refunded_amount;
  return (
    <div className="decide buttons">
      {me?.may.includes('payments:write') && status === 'OPEN' && (
        <Act
          verb="Cancel the invoice"
          title={description}
          done="The invoice is cancelled"
          danger
          onDo={() => cancel.mutateAsync({ params: { invoice_id }, body: {} })}
        >
          <p>{say('Nobody can pay it any more.')}</p>
        </Act>
      )}
      {me?.may.includes('refunds:write') && isPaid && <Refund one={one} />}
    </div>
  );
}

function Refund({ one: { invoice_id, description, currency } }: { one: Invoice }) {
  const { mutateAsync } = useChange('POST /payment-gateway/invoices/{invoice_id}/refunds');
  return (
    <Act
      verb="Refund"
      title={description}
      done="The refund is under way"
      danger
      onDo={({ amount, reason = '' }) =>
        mutateAsync({ params: { invoice_id }, body: { reason, ...(amount && { amount }) } })
      }
    >
      <Field
        label={say('Amount in {currency}', { currency })}
        hint="Left empty, all that is left."
        name="amount"
        inputMode="decimal"
        pattern="[0-9]+([.][0-9]+)?"
      />
      <Field label="Why" name="reason" hint="Stays on record." maxLength={250} required />
    </Act>
  );
}

const Refunds = ({ rows }: { rows: readonly InvoiceRefund[] }) => (
  <Table
    label="Refunds, newest first"
    rows={rows}
    keyOf={({ refund_id }) => refund_id}
    empty="Nothing was given back."
    columns={[
      { head: 'Made', cell: ({ created_at }) => <When at={created_at} /> },
      { head: 'Amount', isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
      { head: 'Why', cell: ({ reason }) => reason },
      { head: 'Way', cell: ({ way }) => say(way) },
      { head: 'Status', cell: ({ status }) => <Tag word={status} /> },
      { head: 'Id', cell: ({ refund_id }) => <Ident id={refund_id} search /> },
    ]}
  />
);
