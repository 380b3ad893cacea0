import { useReading } from '../parts/context.ts'
import { Read } from '../parts/told.tsx'
import { rowsIn } from './figures.ts'

/** Whether queues and workers keep up, over all workspaces: from the metrics. */
export function WorkNow() {
  const reading = useReading((service, signal) => service.metrics(signal), '')
  return (
    <section id="work">
      <h2>Queues, lag and runs</h2>
      <Read reading={reading}>
        {(metrics) => (
          <>
            <p class="hint">
              Over all workspaces, at most 5 s old. Workers are not listed: if a figure below stays high, too few of
              them run.
            </p>
            <div class="wide">
              <table>
                <tbody>
                  {rowsIn(metrics).map(([text, value]) => (
                    <tr key={text}>
                      <th scope="row">{text}</th>
                      <td class="align-right">{value}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <p>
              <button type="button" class="other" onClick={reading.again}>
                Read again
              </button>
            </p>
          </>
        )}
      </Read>
    </section>
  )
}
