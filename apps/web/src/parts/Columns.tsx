import type { JSX } from 'react';
import type { Column } from '../model/columns.ts';

interface ColumnsProps {
  readonly columns: readonly Column[];
  /** The class of the heading "Actions", which only screen readers see. */
  readonly unseen?: string | undefined;
}

/** The column widths and headings of a table. */
export function Columns({ columns, unseen }: ColumnsProps): JSX.Element {
  return (
    <>
      <colgroup>
        {columns.map(({ key, width, grows }) => (
          <col key={key} width={grows === true ? undefined : width} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map(({ key, title }) => (
            <th key={key} scope="col">
              {unseen === undefined || key !== 'actions' ? (
                title
              ) : (
                <span className={unseen}>{title}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}
