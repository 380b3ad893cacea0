/**
 * The headings, labels and status words of decision records, in several languages. Words are looked up by `wordKey`, so
 * case, accents, emoji and punctuation around a word do not matter. To support another language, add its words here.
 */

export type SectionKind =
  | 'status'
  | 'date'
  | 'deciders'
  | 'metadata'
  | 'context'
  | 'drivers'
  | 'options'
  | 'details'
  | 'option'
  | 'decision'
  | 'proposal'
  | 'rationale'
  | 'consequences'
  | 'links'
  | 'history'
  | 'aside'
  | 'outcome'

export type FieldKind =
  | 'title'
  | 'status'
  | 'date'
  | 'date_created'
  | 'date_changed'
  | 'deciders'
  | 'authors'
  | 'supersedes'
  | 'superseded_by'
  | 'amends'
  | 'amended_by'
  | 'relates'
  | 'tags'
  | 'category'
  | 'significance'
  | 'other'

export type StatusWord = 'proposed' | 'accepted' | 'rejected' | 'deprecated' | 'superseded'

/**
 * Headings. `details`: pros and cons of each option. `proposal`: the decision if no other section has it. `history` and
 * `aside` are never the decision. `option` and `outcome` are told by more than the words of the heading.
 */
export const sectionWords: Record<SectionKind, string> = {
  status: `status|state|trang thai|current status|decision status|adr status|status history|status log|lifecycle|estado|estatus|etat|statut|stato|stan|статус|состояние|
    状态|狀態|ステータス|状態|상태|durum|tila`,
  date: `date|ngay|decision date|date of decision|decided on|datum|entscheidungsdatum|fecha|data|дата|日期|决策日期|决定日期|决策时间|决定时间|日付|決定日|決定日時|作成日|날짜|결정일|결정 날짜|작성일|tarih|implementation date|date implemented|実装日|実施日`,
  deciders: `deciders|decider|decision made by|decision taken by|made by|decision makers|decision maker|decision-makers|decided by|approvers|approved by|participants|
    stakeholders and deciders|entscheider|entscheidungstrager|beteiligte|decideurs|participants a la decision|decisores|
    responsables|decisori|beslissers|decydenci|принимающие решение|决策者|决策人|決策者|決定者|意思決定者|의사결정자|결정자`,
  metadata: `title|titel|titre|titulo|titolo|metadata|meta|document information|document control|adr information|metadaten|metadonnees|metadatos|metadados|
    元数据|メタデータ|メタ情報`,
  context: `context|ngu canh|boi canh|context and problem statement|context & problem statement|context and problem|problem statement|problem|
    background|background and context|context and background|introduction|overview|motivation|issue|the issue|summary of the issue|
    situation|why|problem description|problem to be solved|problem to solve|business context|current situation|current state|status quo|the status quo|the problem|abstract|summary|
    kontext|kontext und problemstellung|problemstellung|hintergrund|ausgangslage|ausgangssituation|motivation|
    contexte|contexte et probleme|contexte et enonce du probleme|probleme|problematique|enonce du probleme|
    contexto|contexto y problema|contexto y planteamiento del problema|planteamiento del problema|problema|antecedentes|
    contexto e problema|contexto e declaracao do problema|declaracao do problema|contesto|contesto e problema|
    aanleiding|achtergrond|probleemstelling|kontekst|kontekst i problem|sammanhang|bakgrund|kontekst og problem|bakgrunn|
    контекст|контекст и проблема|постановка проблемы|проблема|предыстория|背景|背景和问题|上下文|问题|问题陈述|问题描述|
    背景と課題|背景・課題|コンテキスト|コンテキストと問題|文脈|状況|課題|問題|問題の背景|経緯|はじめに|概要|
    배경|맥락|컨텍스트|문제|문제 정의|baglam|arka plan`,
  drivers: `decision drivers|drivers|forces|constraints|requirements|decision criteria|criteria|evaluation criteria|assumptions and constraints|
    key drivers|decision driver|quality attributes|entscheidungstreiber|treiber|entscheidungskriterien|kriterien|rahmenbedingungen|
    anforderungen|einflussfaktoren|facteurs de decision|moteurs de decision|criteres de decision|criteres|contraintes|factores de decision|
    criterios de decision|criterios|restricciones|fatores de decisao|criterios de decisao|restricoes|fattori decisionali|vincoli|
    факторы решения|критерии|ограничения|决策驱动因素|决策因素|决策标准|约束|決定要因|決定の要因|判断基準|制約|制約条件|評価基準|
    결정 요인|의사결정 요인|제약 조건`,
  options: `considered options|options considered|options|considered alternatives|alternatives considered|alternatives evaluated|evaluated alternatives|alternatives|alternative|
    alternative options|reasons against other options|reasons against the alternatives|why not other options|alternative options considered|also considered|other options|other options considered|what else we considered|what we considered|options and alternatives|alternative solutions|possible solutions|
    solutions considered|rejected alternatives|rejected options|options ecartees|options rejetees|alternatives ecartees|alternatives rejetees|verworfene optionen|verworfene alternativen|opciones descartadas|alternativas descartadas|positions|possible options|option|
    betrachtete optionen|optionen|alternativen|betrachtete alternativen|erwogene optionen|erwogene alternativen|
    geprufte optionen|geprufte alternativen|losungsoptionen|options envisagees|options considerees|alternatives envisagees|
    alternatives considerees|solutions envisagees|opciones consideradas|opciones|alternativas|alternativas consideradas|
    opcoes consideradas|opcoes|opzioni considerate|opzioni|alternative considerate|overwogen opties|opties|alternatieven|
    overwogen alternatieven|rozwazane opcje|opcje|alternatywy|рассмотренные варианты|варианты|альтернативы|
    рассмотренные альтернативы|考虑的选项|备选方案|可选方案|候选方案|方案|选项|替代方案|考慮的選項|替代選項|
    検討した選択肢|選択肢|検討した代替案|代替案|代替手段|検討事項|比較検討|候補|고려한 옵션|고려된 옵션|대안|고려한 대안|옵션|선택지|
    secenekler|degerlendirilen secenekler|alternatifler`,
  option: '',
  details: `pros and cons of the options|pros and cons|pros & cons|pros and cons of the alternatives|pros/cons|option details|
    evaluation|evaluation of options|evaluation of the options|analysis of options|options analysis|comparison|comparison of options|
    vor- und nachteile der optionen|vor und nachteile der optionen|vor- und nachteile|bewertung|bewertung der optionen|
    avantages et inconvenients des options|avantages et inconvenients|pros y contras de las opciones|pros y contras|
    ventajas y desventajas|pros e contras das opcoes|pros e contras|pro e contro delle opzioni|pro e contro|
    voor- en nadelen van de opties|voor- en nadelen|zalety i wady opcji|zalety i wady|плюсы и минусы вариантов|плюсы и минусы|
    选项的优缺点|优缺点|方案对比|各方案优缺点|選択肢の長所と短所|選択肢の評価|長所と短所|メリットとデメリット|メリット・デメリット|
    장단점|옵션의 장단점`,
  decision: `decision|quyet đinh|decision outcome|the decision|decisions|outcome|decision made|our decision|decision and rationale|
    decision & rationale|decision taken|resolution|chosen option|chosen solution|selected solution|decisions to make|decisions made|key decisions|what we decided|what was decided|what we chose|our choice|selected option|conclusion|verdict|final decision|decision summary|decision statement|final choice|
    entscheidung|ergebnis der entscheidung|entscheidungsergebnis|getroffene entscheidung|beschluss|entscheid|
    decision prise|resultat de la decision|issue de la decision|decision tomada|resultado de la decision|decisión|
    decisao|resultado da decisao|decisao tomada|decisione|esito della decisione|beslissing|besluit|uitkomst|decyzja|
    wynik decyzji|beslut|beslutning|решение|принятое решение|итог|результат решения|决策|决定|决策结果|决策内容|最终决策|最终决定|原始决策|決策|决议|結論|
    決定|決定事項|決定内容|採用案|決定結果|결정|결정 사항|결정 결과|의사결정|karar|paatos`,
  proposal: `proposal|proposals|proposed solution|solution|solution description|proposed decision|approach|our approach|chosen approach|recommendation|recommendations|proposed approach|
    what's proposed|what is proposed|vorschlag|losung|losungsvorschlag|empfehlung|proposition|solution proposee|
    recommandation|propuesta|solucion|solucion propuesta|recomendacion|proposta|solucao|solucao proposta|recomendacao|
    soluzione|voorstel|oplossing|propozycja|rozwiazanie|предложение|предлагаемое решение|提案|提议|解决方案|建议|解決策|提案内容|제안|해결책`,
  rationale: `rationale|rationale and alternatives|reasons for rejection|reason for rejection|reasons for withdrawal|grunde fur die ablehnung|raisons du rejet|motivos del rechazo|reasoning|reasons|reason|justification|why this decision|argument|arguments|reasons for the decision|
    begrundung|grunde|raison|raisons|justification de la decision|justificacion|razonamiento|razones|motivos|justificativa|
    motivazione|motivazioni|motivatie|onderbouwing|uzasadnienie|обоснование|причины|理由|决策理由|原因|依据|決定理由|選定理由|採用理由|根拠|근거|이유|gerekce`,
  consequences: `consequences|he qua|hau qua|consequence|positive consequences|negative consequences|neutral consequences|implications|expected consequences|business consequences|expected business consequences|impact|impacts|
    results|result|effects|outcomes|trade-offs|tradeoffs|what this means|what changes|pros and cons of the decision|risks|risks and consequences|consequences and risks|costs|what becomes easier|what becomes harder|what becomes more difficult|what becomes easier or harder|
    what becomes easier or more difficult|pros|cons|
    konsequenzen|folgen|auswirkungen|positive konsequenzen|negative konsequenzen|positive folgen|negative folgen|risiken|
    consequences positives|consequences negatives|impacts et consequences|consecuencias|consecuencias positivas|
    consecuencias negativas|impacto|riesgos|consequencias|consequencias positivas|consequencias negativas|impactos|riscos|
    conseguenze|conseguenze positive|conseguenze negative|gevolgen|consequenties|positieve gevolgen|negatieve gevolgen|konsekwencje|
    skutki|konsekvenser|последствия|положительные последствия|отрицательные последствия|следствия|риски|后果|影响|结果|後果|風險|风险|
    积极后果|消极后果|正面影响|负面影响|結果|影響|影響範囲|トレードオフ|ポジティブな影響|ネガティブな影響|ポジティブな結果|
    ネガティブな結果|ネガティブな影響・トレードオフ|正の影響|負の影響|リスク|決定の影響|결과|영향|긍정적 결과|부정적 결과|긍정적 영향|부정적 영향|
    sonuclar|seuraukset`,
  links: `links|related|related decisions|related adrs|related links|related records|see also|references|reference|more information|
    further reading|further information|related documents|relationships|relations|supersedes|superseded by|amends|notes and links|
    verweise|verknupfungen|referenzen|weitere informationen|siehe auch|quellen|liens|liens connexes|voir aussi|plus d'informations|
    enlaces|referencias|mas informacion|vease tambien|ligacoes|mais informacoes|veja tambem|collegamenti|riferimenti|
    verwijzingen|koppelingen|meer informatie|odnosniki|linki|odniesienia|ссылки|связанные решения|см. также|链接|参考|参考资料|相关|
    相关决策|相关链接|更多信息|参考資料|参考文献|関連資料|関連リンク|関連する決定|関連adr|リンク|参照|링크|참고|참고 자료|관련 결정|baglantilar`,
  history: `changelog|change log|change history|history|revision history|version history|document history|revisions|log of changes|
    anderungshistorie|historie|historique|historial|historico|cronologia|变更记录|修订记录|変更履歴|改訂履歴|변경 이력`,
  aside: `author|authors|contributors|reviewers|approvals|sign off|signoff|signatures|governance|ownership|contact|contacts|
    table of contents|contents|advantages|disadvantages|benefits|drawbacks|glossary|terminology|definitions|confirmation|bestatigung|confirmacion|confirmacao|conferma|rfc 2119|rfc 2119 and rfc 8174|requirements language|conventions and terminology|acknowledgements|acknowledgments|prior art|future possibilities|out of scope|not in scope|non goals|nongoals|hors perimetre|fuera de alcance|fora do escopo|open questions|open question|open issues|open points|unresolved questions|unresolved issues|unanswered questions|remaining questions|outstanding questions|offene fragen|offene punkte|ungeklarte fragen|questions ouvertes|questions en suspens|points ouverts|preguntas abiertas|cuestiones abiertas|preguntas pendientes|questoes em aberto|perguntas em aberto|domande aperte|open vragen|otwarte pytania|открытые вопросы|未解决问题|未解決の課題|미해결 질문|autoren|auteurs|autores|autori|作者|著者`,
  outcome: '',
}

/** Labels of metadata: in `Label: value`, in table cells and as keys of front matter. */
export const fieldWords: Record<FieldKind, string> = {
  title: 'title|titel|titre|titulo|titolo|标题|タイトル|제목',
  status: sectionWords.status,
  date: `${sectionWords.date}|decided|decided at|decided_at|decision_date|decisiondate|accepted on|accepted|adopted|adopted on|approved|approved on|date accepted|date approved|approval date|ratified|ratified on|effective date|effective from|date decided|decided date|date resolved|resolved|resolved on`,
  date_created:
    'start date|proposal date|introduced|introduced on|introduced in|proposed|proposed on|date proposed|submitted|submitted on|published|published on|drafted|started|created|created at|created on|created_at|creation date|created date|date of creation|date created|submission date|original status|initial status|ursprunglicher status|statut initial|erstellt|erstellt am|cree le|creado|criado em|创建日期|创建时间|起票日|起案日|提案日',
  date_changed: `updated|last updated|last update|last modified|last-modified|last modified at|lastmod|last edited|last revised|last revision|last reviewed|last reviewed on|last review|last review date|date reviewed|revised|revised on|modified|modified on|updated on|last updated on|date updated|last changed|updated_at|
    aktualisiert|zuletzt geandert|mis a jour|actualizado|atualizado em|更新日期|更新日|更新時間|最終更新|最終更新日`,
  deciders: `${sectionWords.deciders}|decision_makers|decision-maker|decisionmakers|decided_by|approver|signed off by|accountable`,
  authors: `author|authors|written by|autor|autoren|auteur|auteurs|autores|autore|autori|作者|著者|作成者|작성자`,
  supersedes: `supersedes|superseded adrs|superseded records|supercedes|superceeds|superseeds|superseedes|replaces|obsoletes|overrides|superseding|ersetzt|lost ab|remplace|annule et remplace|reemplaza|
    reemplaza a|sustituye|sustituye a|substitui|sostituisce|vervangt|zastepuje|ersatter|erstatter|заменяет|取代|替代|置き換え対象|置換対象|대체하는|yerine gecer`,
  superseded_by: `superseded by|superseded_by|superseded-by|supersededby|superceded by|superceeded by|superseeded by|replaced by|replaced-by|replaced_by|obsoleted by|obsoleted-by|
    overridden by|deprecated by|ersetzt durch|abgelost durch|abgelost von|remplace par|remplacee par|reemplazado por|reemplazada por|
    sustituido por|sustituida por|substituido por|substituida por|sostituito da|sostituita da|superato da|superata da|superado por|superada por|vervangen door|zastapiona przez|
    zastapiony przez|zastapione przez|ersatt av|erstattet af|erstattet av|заменено на|заменён на|заменено|被取代|被替代|取代者|置換先|後継|置き換え先|대체됨|대체된`,
  amends: `amends|amendment to|modifies|updates|extends|clarifies|refines|narrows|restricts|revises|corrects|supplements|andert|erganzt|modifie|amende|amendement a|etend|modifica|modifica a|altera|emenda|emenda a|emenda ao|enmienda|enmienda a|complementa|
    wijzigt|zmienia|изменяет|дополняет|修订|修正|補足|変更対象`,
  amended_by: `amended by|amended_by|amended-by|amendedby|modified by|updated by|extended by|clarified by|refined by|narrowed by|restricted by|revised by|corrected by|supplemented by|geandert durch|erganzt durch|modifie par|
    modifiee par|amende par|etendu par|etendue par|precise par|precisee par|amendee par|modificado por|modificada por|alterado por|alterada por|emendado por|emendada por|enmendado por|enmendada por|complementado por|complementada por|modificato da|modificata da|emendato da|emendata da|gewijzigd door|zmieniona przez|изменено|被修订|修正元`,
  relates: `relates to|related|related to|related adrs|related decisions|links|link|see also|depends on|depends-on|requires|enables|complements|
    complemented by|completes|conflicts with|verwandt|bezieht sich auf|lie a|relacionado con|relacionado a|associato a|关联|相关|関連|関連adr`,
  tags: `tags|tag|topics|labels|keywords|schlagworte|schlagworter|etiquettes|etiquetas|标签|タグ|태그`,
  category: 'category|categories|kategorie|categorie|categoria|分类|カテゴリ|カテゴリー|카테고리',
  significance: 'significance|impact level|importance',
  other: `technical story|ticket|issue|informed|consulted|contact|driver|owner|owners|version|id|adr|number|type|deadline|due date|scope|
    contributors|reviewers|confidence|epic|jira|story|project|component|area|audience|parent|nav_order|layout|permalink`,
}

/** The first words of a status. */
export const statusWords: Record<StatusWord, string> = {
  accepted: `accepted|accept|approved|acepted|acccepted|accpeted|aproved|landed|enacted|locked|published|committed|adopted|agreed|agreed upon|decided|implemented|done|complete|completed|final|finalized|finalised|active|in force|
    in effect|in use|living|merged|released|shipped|live|effective|ratified|confirmed|current|valid|partially implemented|accepted and implemented|
    akzeptiert|angenommen|genehmigt|beschlossen|entschieden|verabschiedet|umgesetzt|gultig|aktiv|
    accepte|acceptee|adopte|adoptee|approuve|approuvee|valide|validee|actif|mis en oeuvre|
    aceptado|aceptada|aprobado|aprobada|adoptado|adoptada|vigente|implementado|implementada|
    aceito|aceita|aceite|aprovado|aprovada|adotado|adotada|em vigor|accettato|accettata|approvato|approvata|adottato|adottata|
    geaccepteerd|aanvaard|goedgekeurd|aangenomen|zaakceptowana|zaakceptowany|zaakceptowane|zaakceptowano|przyjeta|przyjety|przyjeto|wdrozono|zatwierdzono|revised|amended|zatwierdzona|
    accepterad|godkand|antagen|accepteret|godkendt|akseptert|godkjent|принято|принят|принята|одобрено|утверждено|реализовано|
    已接受|接受|已采纳|采纳|采用|已采用|已通过|通过|已批准|批准|已决定|已確定|已确定|已接納|已採納|已實施|已实施|生效|
    承認済み|承認済|承認|採用|採用済み|採択|採択済み|決定|決定済み|決定済|合意|合意済み|確定|実装済み|有効|受理|
    승인|승인됨|채택|채택됨|결정|결정됨|수락|수락됨|확정|구현됨|kabul edildi|onaylandi|hyvaksytty`,
  proposed: `proposed|proposal|propose|ideation|prediscussion|provisional|draft|drafted|drafting|pending|pending approval|pending review|in review|under review|review|for review|in discussion|
    under discussion|discussion|open|wip|work in progress|in progress|rfc|request for comments|tentative|awaiting approval|
    awaiting decision|to be decided|tbd|deferred|postponed|last call|stagnant|idea|not yet accepted|not yet approved|not yet decided|not accepted yet|not approved yet|not decided yet|
    vorgeschlagen|vorschlag|entwurf|in prufung|in diskussion|offen|in bearbeitung|propose|proposee|proposition|brouillon|en discussion|
    en attente|en cours|a valider|propuesto|propuesta|borrador|pendiente|en revision|en discusion|proposto|proposta|rascunho|pendente|
    em discussao|em revisao|em analise|bozza|in discussione|in revisione|voorgesteld|voorstel|concept|in behandeling|
    proponowana|proponowany|zaproponowano|proponowane|propozycja|szkic|foreslagen|utkast|foreslaet|udkast|foreslatt|предложено|предложение|предложен|черновик|
    на рассмотрении|обсуждается|提议|提议中|提案|提案中|草案|草稿|待定|待审核|讨论中|审核中|评审中|已提议|已提出|討論中|
    検討中|ドラフト|下書き|草稿|レビュー中|レビュー待ち|審議中|議論中|承認待ち|제안|제안됨|초안|검토 중|검토중|논의 중|onerildi|taslak|ehdotettu`,
  rejected: `rejected|reject|declined|turned down|denied|refused|withdrawn|abandoned|discarded|dismissed|cancelled|canceled|wontfix|won't do|not accepted|not approved|
    abgelehnt|verworfen|zuruckgezogen|nicht angenommen|rejete|rejetee|refuse|refusee|abandonne|abandonnee|retire|
    rechazado|rechazada|descartado|descartada|retirado|rejeitado|rejeitada|recusado|recusada|descartado|rifiutato|rifiutata|
    respinto|respinta|afgewezen|verworpen|geweigerd|odrzucona|odrzucony|odrzucone|odrzucono|avvisad|avslagen|forkastad|afvist|avvist|
    отклонено|отклонен|отклонён|отвергнуто|已拒绝|拒绝|被拒绝|已否决|否决|驳回|已驳回|已放弃|放弃|已撤回|
    却下|却下済み|却下済|不採用|否決|取り下げ|拒否|棄却|見送り|거부|거부됨|기각|기각됨|반려|반려됨|reddedildi|hylatty`,
  deprecated: `deprecated|depreciated|depricated|historical|historic|obsolete|obsoleted|retired|outdated|expired|no longer valid|no longer relevant|no longer in force|archived|inactive|revoked|reverted|rolled back|rescinded|repealed|sunset|
    veraltet|uberholt|ungultig|aufgehoben|zuruckgenommen|obsolete|depreciee|deprecie|caduque|perime|obsoleto|obsoleta|en desuso|
    derogado|descontinuado|descontinuada|depreciado|depreciada|revogado|deprecato|deprecata|superato|verouderd|vervallen|
    przestarzala|przestarzaly|wycofana|foraldrad|utfasad|foraeldet|foreldet|устарело|устарел|отменено|
    已弃用|弃用|已废弃|废弃|已过时|过时|已棄用|已廢棄|廢棄|已失效|廃止|廃止済み|廃止済|非推奨|破棄|無効|失効|폐기|폐기됨|사용 중단|더 이상 사용되지 않음|kullanimdan kaldirildi`,
  superseded: `superseded|superceded|superceeded|superseeded|supersede|superceded by|superceeded by|superseeded by|replaced by|replaced|overridden|overruled|superseded by|deprecated by|deprecated in favor of|deprecated in favour of|
    ersetzt|abgelost|ersetzt durch|remplace|remplacee|reemplazado|reemplazada|sustituido|sustituida|superado por|substituido|substituida|
    sostituito|sostituita|vervangen|zastapiona|zastapiony|zastapione|zastapiono|ersatt|erstattet|заменено|заменен|заменён|
    已取代|被取代|已被取代|已替代|被替代|已被替代|已被代替|置換|置換済み|置換済|置き換え|置き換え済み|置き換えられた|上書き|更新済み|대체|대체됨|yerine gecildi|korvattu`,
}

/** Emoji of a status, used if no word of it is known. */
export const statusEmoji: Record<StatusWord, string> = {
  accepted: '✅ ✔ ☑ 👍 🟢 🆗',
  proposed: '🤔 📝 🚧 💡 💭 🟡 ❓ ⏳',
  rejected: '❌ ✖ 🚫 👎 🔴 ⛔',
  deprecated: '⚠ 🗑 💀 🪦 🗄',
  superseded: '⌛ ♻ 🔄 🔁',
}

/** Next to a word such as `supersedes`, these say that only a part of the other record is meant. */
export const partialWords =
  /\b(?:part(?:ly|ially|ial)|in parts?|mostly|largely|mainly|teilweise|weitgehend|gro(?:ss|ß)tenteils|partiellement|en partie|parcialmente|em parte|in parte|parzialmente|gedeeltelijk|czesciowo)\b|частично|部分|一部|부분/u

/** Something is still in force: `其余条款仍有效`, `die Regel bleibt gültig`. */
export const stillInForce =
  /(?:仍然?|仍[旧舊]|依然|依[旧舊]|[继繼][续續]|延[续續])(?:有效|适用|適用|生效|成立|保留)|引き続き有効|有効のまま|여전히 유효|\b(?:(?:is|are) still (?:valid|in force|in effect|binding)|still (?:applies|apply|stands?|holds?)|remains? (?:valid|in force|in effect|binding))\b|\b(?:bleib(?:t|en)|(?:ist|sind|gilt|gelten) (?:noch|weiterhin))(?: unverändert)? (?:gültig|in Kraft|verbindlich)|\b(?:gilt|gelten) (?:weiter|fort)\b|\brest(?:e|ent) (?:en vigueur|valables?|valides?|applicables?)|\b(?:sigue|permanece|contin[uú]a|segue)[nm]? (?:siendo )?(?:vigentes?|valendo|v[aá]lid[ao]s?|e[mn] vigor)|\bpermanecem?(?=\s*(?:[.;,)]|$))/iu

/** `Superseded for model selection by ADR 6`: for the rest it is in force. As `wordKey` gives it. */
export const supersededFor =
  /^(?:superseded|replaced)\s+(?:only\s+)?(?:for|in|regarding|concerning|with (?:regard|respect) to|as to|as regards)\s+(?!(?:full|favou?r|(?:\p{L}+ )?(?:19|20)?\d\d)\b)[^.;]{3,80}?\s+by\b/u

/** The beginning of a sentence whose subject is the record itself, or a part of it. */
export const ownSubject =
  /^(?:this|with this|hereby|the present|diese[rs]?|hiermit|cette|ce|este|esta|questa|questo|deze|dit|ta|эт[оаи]|本|该|この)(?!\p{L}*\s*\uE000)/u
export const partOfIt = /^(?:these|those|parts? of|some of|diese(?! (?:entscheidung|adr))|certain|some)\b/u

/** The beginning of an option's name that only numbers it, such as `Option 2:`. */
export const optionPrefix =
  /^\[?(?:(?:options?|alternative|solution|proposal|approach|variant|variante|alternativa|losung|losungsoption|opcion|opcao|opzione|optie|opcja|вариант|альтернатива|方案|选项|案|選択肢|代替案|オプション|옵션|대안|secenek)(?:\s*[#№]?\s*\d{1,3}|\s+[a-z]|\s+[ivx]{1,4})\b|[a-z]案|案\s*\d)[\s.:)\]–—-]*/iu

/** Maps the `wordKey` of each word to its kind. */
export function byWord<Kind extends string>(words: Record<Kind, string>): Map<string, Kind> {
  const map = new Map<string, Kind>()
  for (const [kind, list] of Object.entries(words) as [Kind, string][]) {
    for (const word of list.split('|')) {
      const key = wordKey(word)
      if (key !== '' && !map.has(key)) map.set(key, kind)
    }
  }
  return map
}

/** The form in which words are compared: lower case, no accents, no punctuation around it, `_` and `-` as spaces. */
export function wordKey(text: string): string {
  const key = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[\s_-]+/gu, ' ')
  const first = key.search(/[\p{L}\p{N}]/u)
  // searching for other characters at the end would take the square of the length
  return first < 0 ? '' : (/^.*[\p{L}\p{N}]/su.exec(key)?.[0] ?? '').slice(first)
}
