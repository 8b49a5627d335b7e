package tilesight

/**
 * JSON as maps, lists, texts, numbers and flags.
 *
 * The library writes correct JSON, so that what can't be read is a bug: [IllegalArgumentException].
 */
object Json {
    private val NUMBER = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
    private val HEXADECIMAL = Regex("[0-9a-fA-F]{4}")

    /** Returns the value that a text stands for: an object is a map in the order of the text. */
    @JvmStatic
    fun parse(text: String): Any? {
        val parser = Parser(text)
        val value = parser.value(0)
        parser.end()
        return value
    }

    /** Returns the text of a value. */
    @JvmStatic
    fun write(value: Any?): String = StringBuilder().also { append(it, value) }.toString()

    internal fun members(value: Any?): Map<String, Any?> {
        require(value is Map<*, *>) { "an object was expected, not $value" }
        @Suppress("UNCHECKED_CAST")
        return value as Map<String, Any?>
    }

    internal fun text(value: Any?): String = value as? String ?: wrong("a text", value)

    internal fun int(value: Any?): Int = long(value).toInt()

    internal fun long(value: Any?): Long = (value as? Number ?: wrong("a number", value)).toLong()

    internal fun number(value: Any?): Double = (value as? Number ?: wrong("a number", value)).toDouble()

    internal fun flag(value: Any?): Boolean = value as? Boolean ?: wrong("true or false", value)

    internal fun <T> listOf(value: Any?, item: (Any?) -> T): List<T> =
        (value as? List<*> ?: wrong("a list", value)).map(item)

    internal fun <T> mapOf(value: Any?, item: (Any?) -> T): Map<String, T> = members(value).mapValues { item(it.value) }

    internal fun withoutNulls(vararg members: Pair<String, Any?>): Map<String, Any?> =
        members.filter { it.second != null }.toMap()

    private fun wrong(expected: String, value: Any?): Nothing =
        throw IllegalArgumentException("$expected was expected, not $value")

    private fun append(out: StringBuilder, value: Any?) {
        when (value) {
            null -> out.append("null")
            is String -> appendText(out, value)
            is Double, is Float -> {
                require((value as Number).toDouble().isFinite()) { "JSON has no $value" }
                out.append(value)
            }
            is Number, is Boolean -> out.append(value)
            is Map<*, *> -> {
                var before = '{'
                for ((key, member) in value) {
                    out.append(before)
                    appendText(out, key.toString())
                    out.append(':')
                    append(out, member)
                    before = ','
                }
                out.append(if (before == '{') "{}" else "}")
            }
            is Iterable<*> -> {
                out.append('[')
                value.forEachIndexed { at, item ->
                    if (at > 0) out.append(',')
                    append(out, item)
                }
                out.append(']')
            }
            else -> throw IllegalArgumentException("JSON has no ${value.javaClass.name}")
        }
    }

    private fun appendText(out: StringBuilder, text: String) {
        out.append('"')
        for (char in text) {
            when {
                char == '"' || char == '\\' -> out.append('\\').append(char)
                // A lone half of a pair can't be written as UTF-8.
                char < ' ' || char.isSurrogate() -> out.append(String.format("\\u%04x", char - '\u0000'))
                else -> out.append(char)
            }
        }
        out.append('"')
    }

    private class Parser(private val text: String) {
        private var at = 0

        fun value(depth: Int): Any? {
            if (depth > MAX_DEPTH) fail("more than $MAX_DEPTH levels")
            blank()
            return when (peek()) {
                '{' -> members(depth)
                '[' -> items(depth)
                '"' -> text()
                't' -> word("true", true)
                'f' -> word("false", false)
                'n' -> word("null", null)
                else -> number()
            }
        }

        fun end() {
            blank()
            if (at < text.length) fail("more after the value")
        }

        private fun members(depth: Int): Map<String, Any?> {
            val members = LinkedHashMap<String, Any?>()
            eat('{')
            if (closes('}')) return members
            do {
                blank()
                val key = text()
                blank()
                eat(':')
                members[key] = value(depth + 1)
            } while (goesOn('}'))
            return members
        }

        private fun items(depth: Int): List<Any?> {
            val items = ArrayList<Any?>()
            eat('[')
            if (closes(']')) return items
            do items.add(value(depth + 1)) while (goesOn(']'))
            return items
        }

        private fun closes(end: Char): Boolean {
            blank()
            if (peek() != end) return false
            at++
            return true
        }

        private fun goesOn(end: Char): Boolean {
            blank()
            val next = peek()
            if (next != ',' && next != end) fail("',' or '$end' was expected")
            at++
            return next == ','
        }

        private fun text(): String {
            eat('"')
            val out = StringBuilder()
            while (true) {
                val char = peek()
                at++
                when (char) {
                    '"' -> return out.toString()
                    '\\' -> out.append(escaped())
                    else -> out.append(char)
                }
            }
        }

        private fun escaped(): Char {
            val char = peek()
            at++
            return when (char) {
                'n' -> '\n'
                't' -> '\t'
                'r' -> '\r'
                'b' -> '\b'
                'f' -> '\u000c'
                'u' -> {
                    val digits = text.substring(at, minOf(at + 4, text.length))
                    if (!HEXADECIMAL.matches(digits)) fail("four hexadecimal digits were expected")
                    at += 4
                    digits.toInt(16).toChar()
                }
                '"', '\\', '/' -> char
                else -> fail("no such escape")
            }
        }

        private fun number(): Number {
            val start = at
            while (at < text.length && (text[at].isLetterOrDigit() || text[at] in "+-.")) at++
            val number = text.substring(start, at)
            if (!NUMBER.matches(number)) fail("a value was expected")
            val whole: Number? = number.toLongOrNull()
            return whole ?: number.toDouble()
        }

        private fun <T> word(word: String, value: T): T {
            if (!text.startsWith(word, at)) fail("a value was expected")
            at += word.length
            return value
        }

        private fun blank() {
            while (at < text.length && text[at] in " \t\r\n") at++
        }

        private fun peek(): Char = if (at < text.length) text[at] else fail("the text ends")

        private fun eat(char: Char) {
            if (peek() != char) fail("'$char' was expected")
            at++
        }

        private fun fail(reason: String): Nothing =
            throw IllegalArgumentException("not JSON at character ${at + 1}: $reason")
    }

    /** Maximum number of levels: as many as the library reads itself. */
    private const val MAX_DEPTH = 128
}
