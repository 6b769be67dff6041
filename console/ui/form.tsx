import { type FormEvent, type ReactNode, useState } from 'react';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

export type Filled = Readonly<Record<string, string>>;

interface FormProps {
  /** The text of its button. */
  readonly send: string;
  readonly danger?: boolean;
  readonly children?: ReactNode;
  /** Further buttons. */
  readonly beside?: ReactNode;
  /** Shows its error, and keeps the input. */
  readonly onSend: (filled: Filled) => Promise<unknown>;
}

/** Sends the input once: while the request is in flight the button does nothing. */
export function Form({ send, danger = false, children, beside, onSend }: FormProps) {
  const [state, setState] = useState<'open' | 'sending' | { error: Error }>('open');
  const isSending = state === 'sending';
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isSending) return;
    const all = [...new FormData(event.currentTarget)];
    setState('sending');
    try {
      await onSend(Object.fromEntries(all.map(([name, value]) => [name, String(value).trim()])));
      setState('open');
    } catch (error) {
      setState({ error: error as Error });
    }
  };
  return (
    <form onSubmit={submit} aria-busy={isSending}>
      {children}
      {typeof state === 'object' && <Problem error={state.error} />}
      <div className="buttons">
        <Button type="submit" look={danger ? 'danger' : 'main'} aria-disabled={isSending}>
          {isSending ? say('One moment…') : say(send)}
        </Button>
        {beside}
      </div>
    </form>
  );
}
