import { Link } from '@tanstack/react-router';
import { money } from '../amount.ts';
import { useChange, useItems, useMe } from '../data.ts';
import type { Invoice, PaymentLink } from '../money-shapes.ts';
import { Act } from '../ui/act.tsx';
import { Export } from '../ui/export.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';

/** What people are asked to pay: invoices, and links that make them. */
export function InvoicesPage() {
  const invoices = useItems('GET /payment-gateway/invoices', { limit: 50 });
  const links = useItems('GET /payment-gateway/links', { limit: 20 });
  return (
    <Page title="Invoices">
      <Part title="Payment links">
        <Loaded of={links}>
          {({ pages }) => <Links rows={pages.flatMap(({ data }) => data.items)} />}
        </Loaded>
        <More of={links} />
      </Part>
      <Part title="Invoices">
        <Loaded of={invoices}>
          {({ pages }) => <Invoices rows={pages.flatMap(({ data }) => data.items)} />}
        </Loaded>
        <More of={invoices} />
      </Part>
    </Page>
  );
}

const NAMES = [
  ...(['invoice_id', 'created_at', 'description', 'reference', 'amount', 'currency'] as const),
  ...(['paid_amount', 'refunded_amount', 'status'] as const),
] as const;

const Invoices = ({ rows }: { rows: readonly Invoice[] }) => (
  <>
    <Export name="invoices" names={NAMES} rows={rows} />
    <Table
      label="Invoices, newest first"
      rows={rows}
      keyOf={({ invoice_id }) => invoice_id}
      empty="There is no invoice yet."
      columns={[
        { head: 'Made', cell: ({ created_at }) => <When at={created_at} /> },
        {
          head: 'What',
          cell: ({ description, reference }) => (
            <>
              <strong>{description}</strong>
              {reference && (
                <p className="soft">
                  <Ident id={reference} search />
                </p>
              )}
            </>
          ),
        },
        { head: 'Amount', isNumber: true, cell: ({ amount, currency }) => money(amount, currency) },
        {
          head: 'Paid',
          isNumber: true,
          cell: ({ paid_amount, currency }) => money(paid_amount, currency),
        },
        { head: 'Status', cell: ({ status }) => <Tag word={status} /> },
        {
          head: 'Action',
          isAction: true,
          cell: ({ invoice_id }) => (
            <Link className="button plain" to="/invoices/$id" params={{ id: invoice_id }}>
              {say('Open')}
            </Link>
          ),
        },
      ]}
    />
  </>
);

const Links = ({ rows }: { rows: readonly PaymentLink[] }) => (
  <Table
    label="Payment links, newest first"
    rows={rows}
    keyOf={({ link_id }) => link_id}
    empty="There is no payment link yet."
    columns={[
      {
        head: 'Link',
        cell: ({ title, url }) => (
          <>
            <strong>{title}</strong>
            <p className="soft">
              <Ident id={url} />
            </p>
          </>
        ),
      },
      { head: 'Amount', isNumber: true, cell: (one) => <LinkAmount one={one} /> },
      { head: 'Paid', isNumber: true, cell: ({ paid }) => paid },
      { head: 'Open', isNumber: true, cell: ({ open }) => open },
      { head: 'Status', cell: ({ status }) => <Tag word={status} /> },
      { head: 'Action', isAction: true, cell: (one) => <PauseLink one={one} /> },
    ]}
  />
);

const LinkAmount = ({ one: { amount, min, max, currency } }: { one: PaymentLink }) =>
  amount === null
    ? `${money(min ?? '0', currency)} – ${money(max ?? '0', currency)}`
    : money(amount, currency);

function PauseLink({ one: { link_id, status, title } }: { one: PaymentLink }) {
  const { data: me } = useMe();
  const { mutateAsync } = useChange('PATCH /payment-gateway/links/{link_id}');
  const isPaused = status === 'PAUSED';
  if (!me?.may.includes('payments:write') || !(isPaused || status === 'ACTIVE')) return null;
  return (
    <Act
      key={status}
      verb={isPaused ? 'Resume' : 'Pause'}
      title={title}
      done={isPaused ? 'The link takes payments again' : 'The link is paused'}
      onDo={() =>
        mutateAsync({ params: { link_id }, body: { status: isPaused ? 'ACTIVE' : 'PAUSED' } })
      }
    >
      <p>
        {isPaused
          ? say('Its page takes payments again.')
          : say('Its page takes no new payment; what was begun is not stopped.')}
      </p>
    </Act>
  );
}
