/** Where the reader drops or chooses what to import. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { asRefusal } from '../parts/context.ts'
import { useDraft } from '../parts/draft.ts'
import { Field } from '../parts/form.tsx'
import { Refused } from '../parts/told.tsx'
import { chosenByDrop, chosenInInput } from './chosen.ts'
import type { Importing } from './session.ts'

export const draftOfSource = 'import source'

export function Choose({ importing, refusal }: { importing: Importing; refusal: string | undefined }) {
  const [source, setSource] = useDraft(draftOfSource, '')
  const isOver = useDrop(importing, source.trim())
  const choose = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    const { files } = currentTarget
    if (files !== null && files.length > 0) importing.read(chosenInInput(files), source.trim())
  }
  return (
    <>
      <Refused refusal={refusal === undefined ? undefined : { message: refusal }} />
      <p>
        A folder of decision records (Markdown, reStructuredText or AsciiDoc), single records, or a <code>.jsonl</code>{' '}
        or <code>.csv</code> file of decisions, memories and tasks. They are read in your browser, as{' '}
        <code>precedent import</code> reads them. You see what was found before anything is sent.
      </p>
      <div class={isOver ? 'drop over' : 'drop'}>
        <p>Drop a folder or files here.</p>
        <div class="row">
          <label class="button">
            Choose a folder
            <input type="file" name="folder" ref={choosesFolder} onChange={choose} />
          </label>
          <label class="button">
            Choose files
            <input
              type="file"
              name="files"
              multiple
              accept=".md,.mdx,.markdown,.rst,.jsonl,.ndjson,.csv,.tsv"
              onChange={choose}
            />
          </label>
        </div>
      </div>
      <Source value={source} onValue={setSource} />
      <p class="hint">
        A browser does not know the git history. Only the command finds the dates of records that state none: use{' '}
        <code>precedent import</code> for them.
      </p>
    </>
  )
}

/** Preact does not know the attribute. */
function choosesFolder(input: HTMLInputElement | null): void {
  if (input) input.webkitdirectory = true
}

interface SourceProps {
  value: string
  onValue(value: string): void
}

export function Source({ value, onValue }: SourceProps) {
  return (
    <Field
      label="Source"
      name="source"
      value={value}
      onValue={onValue}
      hint="The beginning of the external ids, as --source of the command. Left out: owner/name of the git remote if the folder has .git, else the name of the folder. Of a folder inside a repository: owner/name/path of the folder, so that the ids are those of the command."
    />
  )
}

/** Takes what is dropped anywhere on the page. Returns whether something is held over it. */
function useDrop({ read, choose }: Importing, source: string): boolean {
  const [isOver, setIsOver] = useState(false)
  // before the page is seen: without these, the browser opens what is dropped
  useLayoutEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      setIsOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false)
    }
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      if (event.dataTransfer === null) return
      chosenByDrop(event.dataTransfer).then(
        (files) => read(files, source),
        (error: unknown) => choose(asRefusal(error).message),
      )
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [source])
  return isOver
}
