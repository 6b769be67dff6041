import { useId, useState } from 'react';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
import { Picture } from './chart-picture.tsx';
import { ChartTable } from './chart-table.tsx';

export interface Series {
  readonly name: string;
  readonly look: 'bars' | 'line' | 'dashed';
}

/** A place on the axis: of each series its height, null where it has none, and its text. */
export interface Point {
  readonly at: string;
  readonly heights: readonly (number | null)[];
  readonly texts: readonly string[];
}

export interface ChartProps {
  readonly title: string;
  /** The picture in a sentence. */
  readonly sentence: string;
  readonly series: readonly Series[];
  readonly points: readonly Point[];
  readonly tick: (height: number) => string;
  /** The top of the axis, where it is not that of the highest point. */
  readonly top?: number;
}

/** A chart, the same numbers as a table, and each point by the keys of a slider. */
export function Chart(props: ChartProps) {
  const { title, sentence, series, points } = props;
  const id = useId();
  const [isTable, setTable] = useState(false);
  const [place, setPlace] = useState(points.length - 1);
  const at = points[Math.min(place, points.length - 1)];
  const told =
    at && `${at.at}: ${series.map(({ name }, n) => `${name} ${at.texts[n]}`).join(', ')}`;
  return (
    <figure className="chart">
      <figcaption id={id}>
        <strong>{title}</strong> <span className="soft">{sentence}</span>
      </figcaption>
      {isTable ? (
        <ChartTable {...props} />
      ) : (
        <>
          <Picture {...props} id={id} place={at ? points.indexOf(at) : -1} />
          <p className="legend">
            {series.map(({ name, look }) => (
              <span key={name} className={look}>
                {name}
              </span>
            ))}
          </p>
          <input
            type="range"
            min={0}
            max={points.length - 1}
            value={Math.min(place, points.length - 1)}
            aria-label={say('Day of {title}', { title })}
            aria-valuetext={told}
            onChange={(event) => setPlace(Number(event.target.value))}
          />
          <p className="told">{told}</p>
        </>
      )}
      <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
        {isTable ? 'As picture' : 'As table'}
      </Button>
    </figure>
  );
}
