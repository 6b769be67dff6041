import { type ComponentProps, type ReactNode, useId } from 'react';
import { say } from '../words/say.ts';

interface Named {
  readonly label: string;
  /** A hint before the input. */
  readonly hint?: ReactNode;
}

const Around = ({ id, label, hint, children }: Named & { id: string; children: ReactNode }) => (
  <div className="field">
    <label htmlFor={id}>{say(label)}</label>
    {children}
    {hint && (
      <p className="hint" id={`${id}-hint`}>
        {typeof hint === 'string' ? say(hint) : hint}
      </p>
    )}
  </div>
);

const about = (id: string, hint: ReactNode) => ({
  id,
  ...(hint && { 'aria-describedby': `${id}-hint` }),
});

export const Field = ({ label, hint, ...input }: Named & ComponentProps<'input'>) => {
  const id = useId();
  return (
    <Around {...{ id, label, hint }}>
      <input {...input} {...about(id, hint)} />
    </Around>
  );
};

export const Area = ({ label, hint, ...area }: Named & ComponentProps<'textarea'>) => {
  const id = useId();
  return (
    <Around {...{ id, label, hint }}>
      <textarea rows={3} {...area} {...about(id, hint)} />
    </Around>
  );
};

interface Choice<V extends string> extends Named {
  readonly name?: string;
  readonly value?: V;
  /** Of a form, in the place of `value`. */
  readonly defaultValue?: string;
  readonly options: readonly (readonly [value: V, text: string])[];
  readonly onChoice?: (value: V) => void;
}

export function Select<V extends string>({ label, hint, options, onChoice, ...rest }: Choice<V>) {
  const id = useId();
  return (
    <Around {...{ id, label, hint }}>
      <select
        {...rest}
        {...about(id, hint)}
        {...(onChoice && { onChange: (event) => onChoice(event.target.value as V) })}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {say(text)}
          </option>
        ))}
      </select>
    </Around>
  );
}
