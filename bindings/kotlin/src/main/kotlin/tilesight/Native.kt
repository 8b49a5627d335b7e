package tilesight

import com.sun.jna.Library
import com.sun.jna.Native
import com.sun.jna.Pointer

/**
 * The functions of libtilesight, as bindings/c/include/tilesight.h describes them.
 *
 * JNA finds the library by `jna.library.path`, in the folders of the system, and on Android in the
 * app's `jniLibs`.
 */
@Suppress("FunctionName")
internal interface Functions : Library {
    fun tilesight_abi(): Int
    fun tilesight_version(): String
    fun tilesight_status(handle: Long): Int
    fun tilesight_text(handle: Long): Pointer?
    fun tilesight_length(handle: Long): Long
    fun tilesight_release(handle: Long): Byte
    fun tilesight_handles(): Long

    fun tilesight_engine(profiles: ByteArray, profilesLength: Long): Long
    fun tilesight_score(engine: Long, request: ByteArray, requestLength: Long, lang: String): Long
    fun tilesight_hand(engine: Long, request: ByteArray, requestLength: Long, lang: String): Long
    fun tilesight_rulesets(engine: Long, lang: String): Long
    fun tilesight_game_begin(engine: Long, request: ByteArray, requestLength: Long, lang: String): Long
    fun tilesight_game_change(
        engine: Long, record: ByteArray, recordLength: Long, change: ByteArray, changeLength: Long, at: Long, lang: String
    ): Long
    fun tilesight_game_view(engine: Long, record: ByteArray, recordLength: Long, lang: String): Long
    fun tilesight_game_table(engine: Long, record: ByteArray, recordLength: Long, lang: String): Long

    fun tilesight_reader(options: ByteArray, optionsLength: Long): Long
    fun tilesight_read(
        engine: Long, reader: Long, options: ByteArray, optionsLength: Long, photo: ByteArray, photoLength: Long, lang: String
    ): Long
    fun tilesight_answers(engine: Long, request: ByteArray, requestLength: Long, lang: String): Long
    fun tilesight_sheet(reader: Long, options: ByteArray, optionsLength: Long, photo: ByteArray, photoLength: Long, lang: String): Long
    fun tilesight_learn(reader: Long, options: ByteArray, optionsLength: Long, photo: ByteArray, photoLength: Long, lang: String): Long
    fun tilesight_set(file: ByteArray, fileLength: Long, lang: String): Long
    fun tilesight_merge(reader: Long, options: ByteArray, optionsLength: Long, files: ByteArray, filesLength: Long, lang: String): Long
}

/** The loaded library, and what handles mean. */
internal object Lib {
    /** Version of the interface that this file was written for. */
    private const val ABI = 1

    val functions: Functions by lazy {
        val loaded = Native.load("tilesight", Functions::class.java, mapOf(Library.OPTION_STRING_ENCODING to "UTF-8"))
        check(loaded.tilesight_abi() == ABI) { "libtilesight ${loaded.tilesight_version()} has another interface" }
        loaded
    }

    /** Returns the text of an answer, and releases it. A problem is thrown. */
    fun text(answer: Long): String {
        val handle = kept(answer)
        try {
            return read(handle)
        } finally {
            functions.tilesight_release(handle)
        }
    }

    /** Returns a handle, unless it is that of a problem, which is thrown. */
    fun kept(handle: Long): Long {
        if (functions.tilesight_status(handle) == 200) return handle
        val text = read(handle)
        functions.tilesight_release(handle)
        throw Problem.parse(text)
    }

    private fun read(handle: Long): String {
        val pointer = functions.tilesight_text(handle) ?: throw IllegalStateException("handle $handle was released")
        return String(pointer.getByteArray(0, functions.tilesight_length(handle).toInt()), Charsets.UTF_8)
    }
}
