import type { ComponentProps } from 'react';
import { say } from '../words/say.ts';

interface Looks extends ComponentProps<'button'> {
  /** `main` is the main action, `danger` removes something, `plain` is everything else. */
  readonly look?: 'main' | 'danger' | 'plain' | 'quiet';
}

/** A button, which sends no form unless it says so. */
export const Button = ({
  look = 'plain',
  type = 'button',
  className = '',
  children,
  ...rest
}: Looks) => (
  <button type={type} className={`button ${look} ${className}`} {...rest}>
    {typeof children === 'string' ? say(children) : children}
  </button>
);
