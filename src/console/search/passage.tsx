import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Markdown } from '../parts/markdown.tsx'

/** The beginning of a passage, and the rest once the reader wants it. The buttons about it stand below it, with `children`. */
export function Passage({ text, children }: { text: string; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  const [isCut, setIsCut] = useState(false)
  const [isWhole, setIsWhole] = useState(false)
  useLayoutEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = element.current ?? {}
    setIsCut(scrollHeight > clientHeight)
  }, [])
  return (
    <>
      <div ref={element} class={isWhole ? 'passage' : `passage short${isCut ? ' cut' : ''}`}>
        <Markdown text={text} top={4} />
      </div>
      <div class="row">
        {isCut && (
          <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Show the whole passage'}
          </button>
        )}
        {children}
      </div>
    </>
  )
}
