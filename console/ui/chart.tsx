import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { useId, useState } from 'react';
import { say } from '../words/say.ts';
import { Button } from './button.tsx';
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

const WIDTH = 720;
const HEIGHT = 220;
const EDGE = { top: 12, right: 8, bottom: 26, left: 64 };

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

function Picture({
  title,
  series,
  points,
  tick,
  top,
  id,
  place,
}: ChartProps & { id: string; place: number }) {
  const highest = Math.max(0, ...points.flatMap(({ heights }) => heights.map((one) => one ?? 0)));
  const y = scaleLinear([0, top ?? (highest || 1)], [HEIGHT - EDGE.bottom, EDGE.top]).nice(4);
  const x = scaleBand(
    points.map(({ at }) => at),
    [EDGE.left, WIDTH - EDGE.right],
  ).padding(0.25);
  const middle = (at: string) => (x(at) ?? 0) + x.bandwidth() / 2;
  const every = Math.ceil(points.length / 6);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title>{title}</title>
      {y.ticks(4).map((height) => (
        <g key={height} className="tick">
          <path d={`M${EDGE.left} ${y(height)}H${WIDTH - EDGE.right}`} />
          <text x={EDGE.left - 8} y={y(height) + 4} textAnchor="end">
            {tick(height)}
          </text>
        </g>
      ))}
      {points.map(({ at }, n) =>
        n % every === 0 ? (
          <text key={at} x={middle(at)} y={HEIGHT - 8} textAnchor="middle">
            {at.slice(5)}
          </text>
        ) : null,
      )}
      {series.map(({ name, look }, n) =>
        look === 'bars' ? (
          points.map(({ at, heights }, p) => (
            <rect
              key={at}
              className={p === place ? 'bar chosen' : 'bar'}
              x={x(at)}
              width={x.bandwidth()}
              y={y(heights[n] ?? 0)}
              height={Math.max(0, y(0) - y(heights[n] ?? 0))}
            />
          ))
        ) : (
          <Line
            key={name}
            of={points.map(({ at, heights }) => [middle(at), heights[n] ?? null, y])}
            look={look}
          />
        ),
      )}
    </svg>
  );
}

type Place = readonly [x: number, height: number | null, y: (height: number) => number];

/** A gap where a day has no figure; a lone point is a dot. */
function Line({ of, look }: { of: readonly Place[]; look: string }) {
  const path = line<Place>()
    .defined(([, height]) => height !== null)
    .x(([at]) => at)
    .y(([, height, y]) => y(height ?? 0));
  return <path className={look} d={path([...of]) ?? ''} />;
}
