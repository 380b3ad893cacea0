<?php
// Prints a line for each file and fact of the files named on standard input, by PHP's own tokens: path, group, name and
// line between tabs. The line is that of the first attribute or modifier.
const GROUPS = [T_FUNCTION => 'function', T_CLASS => 'class', T_TRAIT => 'class', T_INTERFACE => 'class', T_ENUM => 'class'];
const MODIFIERS = [T_PUBLIC, T_PROTECTED, T_PRIVATE, T_STATIC, T_FINAL, T_ABSTRACT, T_READONLY];

while (($path = fgets(STDIN)) !== false) {
    $path = rtrim($path, "\n");
    try {
        $tokens = PhpToken::tokenize(file_get_contents($path), TOKEN_PARSE);
    } catch (ParseError) {
        continue;
    }
    echo "$path\n";
    $tokens = array_values(array_filter($tokens, fn ($token) => !$token->isIgnorable()));
    $begin = null;
    $brackets = 0;
    foreach ($tokens as $at => $token) {
        if ($brackets > 0) {
            $brackets += ($token->text === '[' || $token->id === T_ATTRIBUTE) - ($token->text === ']');
            continue;
        }
        if ($token->id === T_ATTRIBUTE) {
            $brackets = 1;
            $begin ??= $token->line;
        } elseif (in_array($token->id, MODIFIERS, true)) {
            $begin ??= $token->line;
        } else {
            $name = $tokens[$at + 1] ?? null;
            $named = $name?->text === '&' ? $tokens[$at + 2] : $name;
            $before = $at > 0 ? $tokens[$at - 1]->id : null;
            $declares = isset(GROUPS[$token->id]) && !in_array($before, [T_NEW, T_USE, T_DOUBLE_COLON], true);
            if ($declares && preg_match('/^[^\W\d]/u', $named?->text ?? '') === 1 && !$named->is([T_EXTENDS, T_IMPLEMENTS])) {
                echo implode("\t", [$path, GROUPS[$token->id], $named->text, $begin ?? $token->line]), "\n";
            }
            $begin = null;
        }
    }
}
