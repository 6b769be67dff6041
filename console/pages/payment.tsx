import { Link, useParams } from '@tanstack/react-router';
import { useAsk, useChange, useMe } from '../data.ts';
import type { Payment, PaymentMoment } from '../payment-shapes.ts';
import type { Work } from '../shapes.ts';
import { Act } from '../ui/act.tsx';
import { Field } from '../ui/field.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page, Part } from '../ui/page.tsx';
import { When } from '../ui/when.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { TryAgain } from './try-again.tsx';

/** One payment: what it is, what has happened, and what can be done. */
export function PaymentPage() {
  const { id: payment_id } = useParams({ from: '/payments/$id' });
  const params = { payment_id };
  const found = useAsk('GET /payments/{payment_id}', { params });
  const timeline = useAsk('GET /payments/{payment_id}/timeline', { params });
  return (
    <Page title="Payment" beside={<Link to="/payments">All payments</Link>}>
      <Loaded of={found}>
        {({ data, timestamp }) => (
          <>
            <PaymentFacts one={data} now={timestamp} />
            <Acts one={data} />
          </>
        )}
      </Loaded>
      <Part title="What has happened">
        <Loaded of={timeline}>{({ data }) => <Moments rows={data.items} />}</Loaded>
      </Part>
    </Page>
  );
}

function Moments({ rows }: { rows: readonly PaymentMoment[] }) {
  if (rows.length === 0) return <p className="empty">Nothing is on record.</p>;
  return (
    <ol className="moments">
      {rows.map((row) => (
        <MomentOf key={JSON.stringify(row)} row={row} />
      ))}
    </ol>
  );
}

/** Events have a type with a dot, everything else a word. */
const kindOf = (what: string): string => (what.includes('.') ? 'event' : what);

const MomentOf = ({
  row: { at, by, what, text, status, amount, ...more },
}: {
  row: PaymentMoment;
}) => (
  <li className={`moment ${kindOf(what)}`}>
    <When at={at} />
    <div>
      <p>
        <span className="kind">{what}</span> <strong>{text}</strong>
      </p>
      <p className="soft">
        by {by === 'another' ? 'a person or key' : by}
        {status && `, status ${status}`}
        {amount && `, ${amount.replace('-', '−')} to the wallet`}
      </p>
      <OnChain {...more} />
    </div>
  </li>
);

const OnChain = ({ hash, explorer_url }: Pick<PaymentMoment, 'hash' | 'explorer_url'>) =>
  hash !== null && (
    <p className="about">
      <Ident id={hash} search />
      {explorer_url !== null && (
        <a href={explorer_url} rel="noreferrer" target="_blank">
          Explorer
        </a>
      )}
    </p>
  );

function Acts({ one }: { one: Payment }) {
  const { data: me } = useMe();
  return (
    <div className="decide buttons">
      {me?.home === 'operator' && <OperatorsLinks one={one} />}
      {one.user_id !== null && (
        <Link className="button plain" to="/payments" search={{ user_id: String(one.user_id) }}>
          Payments of this person
        </Link>
      )}
      {me?.may.includes('payments:write') && <SetMetadata one={one} />}
      {me?.home === 'operator' && me.may.includes('desk:write') && <Retry one={one} />}
    </div>
  );
}

const OperatorsLinks = ({ one }: { one: Payment }) => (
  <>
    <Link className="button plain" to="/timeline" search={{ q: one.our_reference }}>
      All that is recorded
    </Link>
    {one.object.type === 'adjustment' && (
      <Link className="button plain" to="/adjustments/$id" params={{ id: one.object.id }}>
        Adjustment
      </Link>
    )}
  </>
);

function Retry({ one }: { one: Payment }) {
  const work = useAsk('GET /desk/work', {});
  const open = work.data && openOf(one, work.data.data);
  return open ? <TryAgain one={open} /> : null;
}

/** Its work that has stalled, or a call of it whose outcome is unknown. */
function openOf({ object, our_reference }: Payment, { stalled, in_doubt }: Work) {
  const calls = in_doubt.map(({ kind, id }) => ({ what: 'effect' as const, kind, id }));
  return [...stalled, ...calls].find(({ id }) => id === object.id || id === our_reference);
}

function SetMetadata({ one: { payment_id, our_reference } }: { one: Payment }) {
  const { mutateAsync } = useChange('PATCH /payments/{payment_id}/metadata');
  return (
    <Act
      verb="Set metadata"
      title={`Metadata of ${our_reference}`}
      done="The metadata is changed"
      onDo={({ name = '', value }) =>
        mutateAsync({ params: { payment_id }, body: { metadata: { [name]: value || null } } })
      }
    >
      <p>Its client reads it, too. Nothing else of the payment changes.</p>
      <Field label="Name" name="name" pattern="[A-Za-z0-9_.\-]{1,40}" required />
      <Field label="Value" name="value" hint="Left empty it is removed." maxLength={500} />
    </Act>
  );
}
