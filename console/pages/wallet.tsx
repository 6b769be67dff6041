import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { money } from '../amount.ts';
import { useAsk, usePages } from '../data.ts';
import type { Explanation, StatementLine } from '../money-shapes.ts';
import { Export } from '../ui/export.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page, Part } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';

/** Why a balance is what it is, now or at a moment, and every line of its statement. */
export function WalletPage() {
  const { id } = useParams({ from: '/wallets/$id' });
  const { at } = useSearch({ from: '/wallets/$id' });
  const navigate = useNavigate();
  const wallet_id = Number(id);
  const found = useAsk('GET /wallets/fiat/{wallet_id}/explain', {
    params: { wallet_id },
    query: at === undefined ? {} : { at },
  });
  return (
    <Page title="Wallet" beside={<Ident id={id} />}>
      <div className="filters">
        <Form
          key={at}
          send="Show"
          onSend={({ at: wanted }) =>
            navigate({
              to: '/wallets/$id',
              params: { id },
              search: wanted ? { at: `${wanted}:00Z` } : {},
              replace: true,
            })
          }
        >
          <Field
            label="At a moment (UTC)"
            hint="Left empty, now."
            name="at"
            type="datetime-local"
            defaultValue={at?.slice(0, 16)}
          />
        </Form>
      </div>
      <Loaded of={found}>{({ data }) => <Explained of={data} />}</Loaded>
      <Statement wallet_id={wallet_id} />
    </Page>
  );
}

const Explained = ({ of }: { of: Explanation }) => (
  <>
    <dl className="facts wide">
      <dt>{say('Posted')}</dt>
      <dd>{money(of.posted, of.currency)}</dd>
      <dt>{say('Held')}</dt>
      <dd>{money(of.held, of.currency)}</dd>
      <dt>{say('Available')}</dt>
      <dd>
        <strong>{money(of.available, of.currency)}</strong>
      </dd>
      <dt>{say('As of')}</dt>
      <dd>
        <When at={of.at} />
      </dd>
      <dt>{say('Checked')}</dt>
      <dd>
        {of.checks.map(({ rule, ok }) => (
          <p key={rule}>
            <Tag word={ok ? 'OK' : 'FAILED'} /> {rule}
          </p>
        ))}
      </dd>
    </dl>
    <Part title="What was posted, by kind">
      <Table
        label="What was posted, by kind"
        rows={[
          { kind: say('before this month'), count: null, amount: of.opening },
          ...of.by_kind.map((one) => ({ ...one, count: one.count })),
        ]}
        keyOf={({ kind }) => kind}
        empty=""
        columns={[
          { head: 'Kind', cell: ({ kind }) => kind.replaceAll('-', ' ') },
          { head: 'Entries', isNumber: true, cell: ({ count }) => count },
          { head: 'Amount', isNumber: true, cell: ({ amount }) => money(amount, of.currency) },
        ]}
      />
    </Part>
    <Holds of={of} />
  </>
);

const Holds = ({ of: { holds, currency } }: { of: Explanation }) => (
  <Part title="What is held, and for what">
    <Table
      label="What is held, and for what"
      rows={holds}
      keyOf={({ reference, kind }) => `${kind} ${reference}`}
      empty="Nothing is held."
      columns={[
        { head: 'Amount', isNumber: true, cell: ({ amount }) => money(amount, currency) },
        { head: 'Reference', cell: ({ reference }) => <Ident id={reference} search /> },
        { head: 'Kind', cell: ({ kind }) => kind.replaceAll('-', ' ') },
        { head: 'Since', cell: ({ since }) => <When at={since} /> },
        { head: 'Freed by', cell: ({ freed_by }) => freed_by },
        {
          head: 'Asked again',
          cell: ({ next_attempt_at: next }) => next && <When at={next} />,
        },
      ]}
    />
  </Part>
);

const LINES = ['created_at', 'type', 'reference', 'status', 'amount', 'balance_after'] as const;

function Statement({ wallet_id }: { wallet_id: number }) {
  const lines = usePages(
    'GET /wallets/fiat/{wallet_id}/transactions',
    { limit: 50 },
    ({ data }) => data.pagination.next_before,
    { wallet_id },
  );
  return (
    <Part title="Statement">
      <Loaded of={lines}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data.transactions);
          return (
            <>
              <Export name={`statement-${wallet_id}`} names={LINES} rows={rows} />
              <Lines rows={rows} currency={pages[0]?.data.currency ?? ''} />
            </>
          );
        }}
      </Loaded>
      <More of={lines} />
    </Part>
  );
}

const Lines = ({ rows, currency }: { rows: readonly StatementLine[]; currency: string }) => (
  <Table
    label="Lines of the statement, newest first"
    rows={rows}
    keyOf={({ seq }) => seq}
    empty="Nothing was posted yet."
    columns={[
      { head: 'When', cell: ({ created_at }) => <When at={created_at} /> },
      {
        head: 'What',
        cell: ({ type, description }) => (
          <>
            {type.replaceAll('-', ' ')}
            {description && <p className="soft">{description}</p>}
          </>
        ),
      },
      { head: 'Reference', cell: ({ reference }) => <Ident id={reference} search /> },
      { head: 'Amount', isNumber: true, cell: ({ amount }) => money(amount, currency) },
      {
        head: 'Balance',
        isNumber: true,
        cell: ({ balance_after }) => money(balance_after, currency),
      },
    ]}
  />
);
