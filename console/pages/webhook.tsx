import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api.ts';
import { useAsk, useChange, useMe, usePages } from '../data.ts';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from '../developer-shapes.ts';
import { showNotice } from '../notice.ts';
import { Act } from '../ui/act.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page, Part } from '../ui/page.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';
import { Attempts } from './webhook-attempts.tsx';
import { Health } from './webhooks.tsx';

/** One endpoint: how it is, what is sent to it, and each try of it. */
export function WebhookPage() {
  const { id: endpoint_id } = useParams({ from: '/webhooks/$id' });
  const { data: me } = useMe();
  const params = { endpoint_id };
  const found = useAsk('GET /webhook-endpoints/{endpoint_id}', { params }, { every: 10_000 });
  const sent = usePages(
    'GET /webhook-endpoints/{endpoint_id}/deliveries',
    { limit: 50 },
    ({ data }) => data.next_before,
    params,
  );
  const mayChange = me?.may.includes('developers:write') ?? false;
  return (
    <Page title="Webhook endpoint" beside={<Link to="/webhooks">{say('All endpoints')}</Link>}>
      <Loaded of={found}>
        {({ data }) => (
          <>
            <Facts one={data} />
            {mayChange && <Acts one={data} />}
          </>
        )}
      </Loaded>
      <Part title="Deliveries">
        <Loaded of={sent}>
          {({ pages }) => (
            <Deliveries
              rows={pages.flatMap(({ data }) => data.deliveries)}
              mayResend={mayChange}
              endpoint_id={endpoint_id}
            />
          )}
        </Loaded>
        <More of={sent} />
      </Part>
    </Page>
  );
}

const Facts = ({ one }: { one: WebhookEndpoint }) => (
  <dl className="facts wide">
    <dt>{say('Address')}</dt>
    <dd>
      <code className="long">{one.url}</code>
    </dd>
    <dt>{say('Status')}</dt>
    <dd>
      <Health one={one} />
    </dd>
    <dt>{say('Events')}</dt>
    <dd>{one.types.join(', ')}</dd>
    <dt>{say('Last taken')}</dt>
    <dd>{one.last_success_at ? <When at={one.last_success_at} /> : say('never')}</dd>
  </dl>
);

function Acts({ one: { endpoint_id, status, url } }: { one: WebhookEndpoint }) {
  const params = { endpoint_id };
  const navigate = useNavigate();
  const pause = useChange('POST /webhook-endpoints/{endpoint_id}/pause');
  const resume = useChange('POST /webhook-endpoints/{endpoint_id}/resume');
  const test = useChange('POST /webhook-endpoints/{endpoint_id}/test');
  const remove = useChange('DELETE /webhook-endpoints/{endpoint_id}');
  const ping = async () => {
    const { data } = await test.mutateAsync({ params, body: {} });
    const answer = data.error ?? `${data.status}`;
    showNotice(say('{result}: {answer} in {ms} ms', { result: data.result, answer, ms: data.ms }));
  };
  return (
    <div className="decide buttons">
      <Button onClick={() => void ping()} aria-disabled={test.isPending}>
        Send a test
      </Button>
      {status === 'active' || status === 'failing' ? (
        <Act
          verb="Pause"
          title="Pause this endpoint?"
          done="The endpoint is paused"
          onDo={() => pause.mutateAsync({ params, body: {} })}
        >
          <p>{say('It keeps its place, and gets all that it has missed once it is resumed.')}</p>
        </Act>
      ) : (
        <Button onClick={() => void resume.mutateAsync({ params, body: {} })}>Resume</Button>
      )}
      <RotateSecret endpoint_id={endpoint_id} />
      <Act
        verb="Delete"
        title="Delete this endpoint?"
        done="The endpoint is deleted"
        danger
        onDo={async () => {
          await remove.mutateAsync({ params });
          await navigate({ to: '/webhooks' });
        }}
      >
        <p>
          <code>{url}</code> {say('gets nothing more, also of what waits for it.')}
        </p>
      </Act>
    </div>
  );
}

function RotateSecret({ endpoint_id }: { endpoint_id: string }) {
  const [state, setState] = useState<'closed' | 'open' | { readonly secret: string }>('closed');
  const close = () => setState('closed');
  const rotate = async () => {
    const id = 'POST /webhook-endpoints/{endpoint_id}/rotate-secret';
    const { data } = await ask(id, { params: { endpoint_id }, body: {} });
    setState({ secret: data.secret });
  };
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setState('open')}>
        Rotate the secret
      </Button>
      {state !== 'closed' && (
        <Dialog title="Rotate the secret" onClose={close}>
          {state === 'open' ? (
            <Form
              send="Rotate"
              danger
              onSend={rotate}
              beside={<Button onClick={close}>Cancel</Button>}
            >
              <p>
                {say('Messages are signed with both secrets for a day, then with the new one.')}
              </p>
            </Form>
          ) : (
            <SecretOnce secret={state.secret} onClose={close}>
              Verify what arrives with this secret.
            </SecretOnce>
          )}
        </Dialog>
      )}
    </>
  );
}

interface DeliveriesProps {
  readonly rows: readonly WebhookDelivery[];
  readonly mayResend: boolean;
  readonly endpoint_id: string;
}

function Deliveries({ rows, mayResend, endpoint_id }: DeliveriesProps) {
  const [shown, show] = useState<WebhookDelivery>();
  const { mutateAsync } = useChange('POST /events/{event_id}/resend');
  const resend = async (event_id: string) => {
    await mutateAsync({ params: { event_id }, body: { endpoint_id } });
    showNotice(say('The event is sent again'));
  };
  return (
    <>
      <Table
        label="Events that were sent, newest first"
        rows={rows}
        keyOf={({ event_id }) => event_id}
        empty="Nothing was sent yet."
        columns={[
          {
            head: 'Event',
            cell: ({ event_type, event_id }) => (
              <>
                <strong>{event_type}</strong>
                <br />
                <Ident id={event_id} search />
              </>
            ),
          },
          { head: 'Object', cell: ({ object }) => <Ident id={object.id} search /> },
          { head: 'Status', cell: ({ status }) => <Tag word={status} /> },
          { head: 'Tries', isNumber: true, cell: ({ attempts }) => attempts },
          { head: 'Last answer', cell: (one) => <Answered one={one} /> },
          {
            head: 'Action',
            isAction: true,
            cell: (one) => (
              <div className="buttons">
                <Button onClick={() => show(one)}>Tries</Button>
                {mayResend && <Button onClick={() => void resend(one.event_id)}>Send again</Button>}
              </div>
            ),
          },
        ]}
      />
      {shown && (
        <Dialog title="Tries" onClose={() => show(undefined)}>
          <Attempts endpoint_id={endpoint_id} event_id={shown.event_id} />
          <div className="buttons">
            <Button onClick={() => show(undefined)}>Close</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

type AnsweredProps = Pick<WebhookDelivery, 'last_status' | 'last_error' | 'last_attempt_at'> &
  Partial<Pick<WebhookAttempt, 'ms'>>;

const Answered = ({
  one: { last_status, last_error, last_attempt_at },
}: {
  one: AnsweredProps;
}) => (
  <>
    {last_status ?? <span className="soft">{say('none')}</span>}
    {last_error && <p className="fault">{last_error}</p>}
    {last_attempt_at && (
      <p className="soft">
        <When at={last_attempt_at} />
      </p>
    )}
  </>
);
