import { withAmounts } from '../amount.ts';
import { Ident } from './ident.tsx';

/** Any value, for users who have to see all of it. */
export const Json = ({ value }: { value: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: users without a mouse scroll it by its keys.
  <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
);

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** These are names: the first ones link to timelines, the other one is found in the logs. */
const NAMES = ['operation', 'reference', 'reference_id'];
const IN_LOGS = 'request_id';

interface DetailsProps {
  readonly value: unknown;
  /** Of nested values, the fields that matter at once. */
  readonly also?: object;
}

/** One-line values side by side, and all of them behind a click where there are more. */
export function Details({ value, also = {} }: DetailsProps) {
  const fields = Object.entries(value ?? {}).filter(([, field]) => field !== null);
  const plain = [...fields, ...Object.entries(also)].filter(([, field]) => isPlain(field));
  const shown = withAmounts(plain);
  return (
    <>
      {shown.length > 0 && (
        <dl className="pairs">
          {shown.map(([name, field]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Value name={name} text={String(field)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {fields.some(([, field]) => !isPlain(field)) && (
        <details>
          <summary>All of it</summary>
          <Json value={value} />
        </details>
      )}
    </>
  );
}

const Value = ({ name, text }: { name: string; text: string }) =>
  NAMES.includes(name) || name === IN_LOGS ? <Ident id={text} search={name !== IN_LOGS} /> : text;
